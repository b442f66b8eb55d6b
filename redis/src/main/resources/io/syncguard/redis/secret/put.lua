-- Stores a secret.
--
-- KEYS[1]  secret     prefix:id:secret:id
-- ARGV[1]  payload    any bytes
-- ARGV[2]  views      how often it can be viewed
-- ARGV[3]  ttl        in ms
--
-- Returns  when it expires, in ms
-- Errors   none of its own

local time = redis.call('TIME')
local expiresAt = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[3])
redis.call('HSET', KEYS[1], 'views', ARGV[2], 'expiresAtMs', expiresAt, 'payload', ARGV[1])
redis.call('PEXPIREAT', KEYS[1], expiresAt)
return expiresAt
