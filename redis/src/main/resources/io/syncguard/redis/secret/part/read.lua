-- Reads what is left of a secret, but not its payload: secret, whether it is there, whether it has expired.

local time = redis.call('TIME')
local secret = redis.call('HMGET', KEYS[1], 'views', 'expiresAtMs')
local there = secret[1] or secret[2] or redis.call('HEXISTS', KEYS[1], 'payload') == 1
if there and not (string.find(secret[1] or '', '^[1-9]%d*$') and tonumber(secret[1]) <= 1000000
    and string.find(secret[2] or '', '^%d+$')) then
  return {err = 'CORRUPT secret'}
end
local expired = there and tonumber(secret[2]) <= time[1] * 1000 + math.floor(time[2] / 1000)
