-- Stores a secret, unless there is one under its id.
--
-- KEYS[1]  secret     prefix:id:secret:id
-- ARGV[1]  payload    any bytes
-- ARGV[2]  views      how often it can be viewed
-- ARGV[3]  ttl        in ms
-- ARGV[4]  proof      the hash that a view must present; empty if there is no key
--
-- Returns  when it expires, in ms; nothing if there is one already
-- Errors   CORRUPT    what is there is not what a client writes

-- include part/read.lua

if there and not expired then
  return false
end
local expiresAt = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[3])
redis.call('HSET', KEYS[1], 'views', ARGV[2], 'expiresAtMs', expiresAt, 'proof', ARGV[4], 'payload', ARGV[1])
redis.call('PEXPIREAT', KEYS[1], expiresAt)
return expiresAt
