-- Reads the record of a live lock, by its key. Only reads.
--
-- KEYS[1]  lock key   prefix:key
--
-- Returns  key, lockId, fence, acquiredAtMs and expiresAtMs, all strings; or nil when there is none or it has expired
-- Errors   CORRUPT    the record is not what a client writes

local call = redis.call
local held = call('GET', KEYS[1])
if not held then
  return false
end
-- include part/record.lua
-- include part/clock.lua
if not (lock.expiresAtMs > now - 1000) then
  return false
end
-- include part/fields.lua
