-- Tells whether a key is locked. Only reads.
--
-- KEYS[1]  lock key   prefix:key
--
-- Returns  1 locked   0 free, or expired by more than the tolerance
-- Errors   CORRUPT    the record is not what a client writes

local held = redis.call('GET', KEYS[1])
if not held then
  return 0
end
local parsed, lock = pcall(cjson.decode, held)
-- cjson takes a NUL for the end of the text, and accepts NaN, for which every comparison is false.
if not parsed or string.find(held, '\0', 1, true) or type(lock) ~= 'table' or type(lock.lockId) ~= 'string'
    or #lock.lockId ~= 22 or string.find(lock.lockId, '[^%w_-]')
    or type(lock.expiresAtMs) ~= 'number' or not (math.abs(lock.expiresAtMs) < 2 ^ 53)
    or type(lock.fence) ~= 'string' or #lock.fence ~= 15 or not string.find(lock.fence, '^%d+$') then
  return {err = 'CORRUPT lock record'}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
return lock.expiresAtMs > now - 1000 and 1 or 0
