-- Reads the record of a live lock, by its lockId. Only reads. One script, so that the two keys are of one moment.
--
-- KEYS[1]  index key   prefix:id:lockId, ends with the 22-character lockId; it names the lock key
--
-- Returns  key, lockId, fence, acquiredAtMs and expiresAtMs, all strings; or nil when there is none, or it is
--          another's or expired
-- Errors   CORRUPT     the record is not what a client writes

local lockKey = redis.call('GET', KEYS[1])
local held = lockKey and redis.call('GET', lockKey)
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
-- The index may be stale: the record says whose lock it is.
if not (lock.lockId == string.sub(KEYS[1], -22) and lock.expiresAtMs > now - 1000) then
  return false
end
-- Decoded here, so that clients need no JSON parser; %d because a reply may not carry the fraction of a number.
return {type(lock.key) == 'string' and lock.key or '', lock.lockId, lock.fence, string.format('%d', tonumber(lock.acquiredAtMs) or 0),
  string.format('%d', lock.expiresAtMs)}
