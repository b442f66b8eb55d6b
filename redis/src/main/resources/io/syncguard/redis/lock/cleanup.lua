-- Deletes a record that expired more than 2000 ms ago, and the index key that leads to it. Never a fence counter.
-- Serves the next waiter of a lock that is not live.
--
-- KEYS[1]  lock key   prefix:key
-- ARGV[1]  what index keys begin with: prefix:id:  (the record says which one is meant)
--
-- Returns  1 deleted   0 nothing to clean up. 10 is added if there are more dead waiters than a step drops
-- Errors   CORRUPT    the record is not what a client writes; nothing was changed

local call, sub = redis.call, string.sub
local lockKey, base = KEYS[1], ARGV[1]
-- include part/clock.lua
-- include part/queue.lua
local held = call('GET', lockKey)
local answer, staleIndex = 0, nil
if held then
  -- include part/record.lua
  if lock.expiresAtMs > now - 1000 then
    return 0
  end
  local indexKey = base .. lock.lockId
  local leadsHere = call('GET', indexKey) == lockKey
  staleIndex = leadsHere and indexKey
  -- Later than the tolerance, so that no extend can still be on its way to this record.
  if now - lock.expiresAtMs > 2000 then
    call('DEL', lockKey)
    if leadsHere then
      call('DEL', indexKey)
    end
    answer = 1
  end
end
if call('EXISTS', queueKey) == 0 then
  return answer
end

-- No process in particular asks.
local process = ''
local function countFence(fenceKey, survives)
  -- include part/fence.lua
  return fence
end
-- include part/next.lua

local first = firstAlive()
if first then
  serve(first, staleIndex)
end
return more and answer + 10 or answer
