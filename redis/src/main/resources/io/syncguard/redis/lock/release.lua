-- Frees a lock, if it is still this holder's, and grants it to the next waiter in the same step; or gives up a place in the queue.
--
-- KEYS[1]  index key   prefix:id:lockId, ends with the 22-character lockId
-- KEYS[2]  lock key    prefix:key; left out when only the lockId is known, then the index names it
-- ARGV[1]  this process's members of queues without the lockId: part/queue.lua says what that is
-- ARGV[2]  the record up to its fence, as acquire was given it; left out when the key is not known
--
-- Returns  1 released, or given up its place   0 another holds it   -1 not found   -2 it was this holder's, but had expired (now
--          deleted). 10 is added if there are more dead waiters than a step drops.
--          If the lock was granted to a waiter of this process, a list: one of these, and the waiter's lockId with the rest of
--          its record behind it, as acquire answers that
-- Errors   CORRUPT     the record is not what a client writes; it was not changed

local call, sub = redis.call, string.sub
local indexKey, head = KEYS[1], ARGV[2]
local lockKey = KEYS[2] or call('GET', indexKey)
if not lockKey then
  return -1
end

local base = sub(indexKey, 1, -23)
-- include part/queue.lua
local held = call('GET', lockKey)
-- include part/own_record.lua
-- The scripts let both keys live 5000 ms past expiresAtMs. So if more than that is left, the lock has not expired by the
-- server's clock.
local answer, staleIndex
if digits and call('PTTL', lockKey) > 5000 then
  call('DEL', lockKey, indexKey)
  if call('EXISTS', queueKey) == 0 then
    return 1
  end
  answer = 1
end

-- include part/clock.lua
if not answer then
  local lockId = sub(indexKey, -22)
  local member = lockId .. ARGV[1]
  local left, live = call('ZREM', queueKey, member), false
  if held then
    -- include part/record.lua
    live = lock.expiresAtMs > now - 1000
    -- Ownership before expiry: a late release must not delete the next holder's record.
    if lock.lockId == lockId then
      call('DEL', lockKey, indexKey)
      answer = live and 1 or -2
      live = false
    elseif not live then
      staleIndex = base .. lock.lockId
    end
  end
  if not answer then
    -- The record is gone or another's, so this holder's index key is stale if it still leads here.
    if call('GET', indexKey) == lockKey then
      call('DEL', indexKey)
    end
    answer = left == 1 and 1 or held and 0 or -1
  end
  if live or call('EXISTS', queueKey) == 0 then
    return answer
  end
end

local process = sub(ARGV[1], 2, 23)
local function countFence(fenceKey, survives)
  -- include part/fence.lua
  return fence
end
-- include part/next.lua

local first = firstAlive()
local granted = first and serve(first, staleIndex, true)
if granted and sub(first, 24, 45) == process then
  return {answer, granted}
end
return more and answer + 10 or answer
