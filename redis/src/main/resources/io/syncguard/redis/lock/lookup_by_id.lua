-- Reads the record of a live lock, by its lockId. Only reads. One script, so that the two keys are of one moment.
--
-- KEYS[1]  index key   prefix:id:lockId, ends with the 22-character lockId; it names the lock key
--
-- Returns  key, lockId, fence, acquiredAtMs and expiresAtMs, all strings; or nil when there is none, or it is
--          another's or expired
-- Errors   CORRUPT     the record is not what a client writes

local call = redis.call
local lockKey = call('GET', KEYS[1])
local held = lockKey and call('GET', lockKey)
if not held then
  return false
end
-- include part/record.lua
-- include part/clock.lua
-- The index may be stale: the record says whose lock it is.
if not (lock.lockId == string.sub(KEYS[1], -22) and lock.expiresAtMs > now - 1000) then
  return false
end
-- include part/fields.lua
