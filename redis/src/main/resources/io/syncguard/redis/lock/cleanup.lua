-- Deletes a record that expired more than 2000 ms ago, and the index key that leads to it. Never a fence counter.
--
-- KEYS[1]  lock key   prefix:key
-- ARGV[1]  what index keys begin with: prefix:id:  (the record says which one is meant)
--
-- Returns  1 deleted   0 nothing to clean up
-- Errors   CORRUPT    the record is not what a client writes; nothing was changed

local call, lockKey = redis.call, KEYS[1]
local held = call('GET', lockKey)
if not held then
  return 0
end
-- include part/record.lua
-- include part/clock.lua
-- Later than the tolerance, so that no extend can still be on its way to this record.
if now - lock.expiresAtMs <= 2000 then
  return 0
end
local indexKey = ARGV[1] .. lock.lockId
if call('GET', indexKey) == lockKey then
  call('DEL', lockKey, indexKey)
else
  call('DEL', lockKey)
end
return 1
