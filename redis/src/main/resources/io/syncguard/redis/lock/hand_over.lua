-- Passes a lock on from its holder to another waiter in one step, if all is as it should be.
--
-- KEYS[1]  lock key     prefix:key
-- KEYS[2]  index key    prefix:id:lockId of the holder
-- KEYS[3]  index key    prefix:id:lockId of the waiter
-- KEYS[4]  fence key    prefix:fence:prefix:key
-- ARGV[1]  the holder's record up to its fence, as acquire was given it
-- ARGV[2]  the waiter's record up to its fence
-- ARGV[3]  ttlMs
-- ARGV[4]  ttlMs + 5000, the physical life of both keys
--
-- Returns  string   passed on: the rest of the record, <fence>","acquiredAtMs":<ms>,"expiresAtMs":<ms>}
--          nil      nothing was changed: the record is not the holder's, or near its end, or the record or the counter is not
--                   what SyncGuard's scripts write, or the server refuses to write; release and acquire say which
-- Errors   only those of Redis

local call = redis.call
local lockKey, staleIndex, indexKey, fenceKey, head = KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1]

local held = call('GET', lockKey)
-- include part/own_record.lua
-- As in release: more than 5000 ms left says that the lock has not expired.
if not digits or call('PTTL', lockKey) <= 5000 then
  return nil
end

-- Fourteen digits stay below the largest fence.
local counter = call('GET', fenceKey)
if not counter or #counter > 14 or not string.find(counter, '^[1-9]%d*$') then
  return nil
end
local fence = redis.pcall('INCR', fenceKey)
if type(fence) ~= 'number' then
  return nil
end

-- include part/clock.lua
local tail = string.format('%015d","acquiredAtMs":%d,"expiresAtMs":%d}', fence, now, now + ARGV[3])
call('DEL', staleIndex)
call('SET', lockKey, ARGV[2] .. tail, 'PX', ARGV[4])
call('SET', indexKey, lockKey, 'PX', ARGV[4])
return tail
