-- Reads the record of a live lock, by its key. Only reads.
--
-- KEYS[1]  lock key   prefix:key
--
-- Returns  key, lockId, fence, acquiredAtMs and expiresAtMs, all strings; or nil when there is none or it has expired
-- Errors   CORRUPT    the record is not what a client writes

local held = redis.call('GET', KEYS[1])
if not held then
  return false
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
if not (lock.expiresAtMs > now - 1000) then
  return false
end
-- Decoded here, so that clients need no JSON parser; %d because a reply may not carry the fraction of a number.
return {type(lock.key) == 'string' and lock.key or '', lock.lockId, lock.fence, string.format('%d', tonumber(lock.acquiredAtMs) or 0),
  string.format('%d', lock.expiresAtMs)}
