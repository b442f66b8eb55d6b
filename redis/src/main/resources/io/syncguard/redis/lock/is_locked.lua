-- Tells whether a key is locked. Only reads.
--
-- KEYS[1]  lock key   prefix:key
--
-- Returns  1 locked   0 free, or expired by more than the tolerance
-- Errors   CORRUPT    the record is not what a client writes

local call = redis.call
local held = call('GET', KEYS[1])
if not held then
  return 0
end
-- include part/record.lua
-- include part/clock.lua
return lock.expiresAtMs > now - 1000 and 1 or 0
