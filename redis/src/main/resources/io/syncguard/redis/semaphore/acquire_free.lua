-- Takes a slot of a name that nobody uses: there is nothing to settle. A part of acquire.lua, which says what ARGV are.

local id, heartbeat, ttl = ARGV[3], ARGV[5] / 1000, ARGV[6] / 1000
local life = math.max(ARGV[5], ARGV[6]) + 10000
local expires = now + ttl

local function held(taken)
  return {'held', tostring(taken), string.format('%.0f', math.floor(expires * 1000))}
end

if call('EXISTS', mainKey, waitingKey) == 0 then
  call('SET', maxKey, ARGV[4], 'PX', life)
  call('ZADD', mainKey, now + math.min(heartbeat, ttl), id)
  call('PEXPIRE', mainKey, life)
  call('ZADD', ttlKey, expires, id)
  call('PEXPIRE', ttlKey, life)
  return held(1)
end
