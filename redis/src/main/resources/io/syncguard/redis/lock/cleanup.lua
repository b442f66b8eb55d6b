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
local parsed, lock = pcall(cjson.decode, held)
-- cjson takes a NUL for the end of the text, and accepts NaN, for which every comparison is false.
if not parsed or string.find(held, '\0', 1, true) or type(lock) ~= 'table' or type(lock.lockId) ~= 'string'
    or #lock.lockId ~= 22 or string.find(lock.lockId, '[^%w_-]')
    or type(lock.expiresAtMs) ~= 'number' or not (math.abs(lock.expiresAtMs) < 2 ^ 53)
    or type(lock.fence) ~= 'string' or #lock.fence ~= 15 or not string.find(lock.fence, '^%d+$') then
  return {err = 'CORRUPT lock record'}
end
-- Later than the tolerance, so that no extend can still be on its way to this record.
local time = call('TIME')
local now = time[1] * 1000 + time[2] / 1000
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
