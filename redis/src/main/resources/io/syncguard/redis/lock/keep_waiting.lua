-- Notes that a process lives, and tells which of its waiters still wait. Serves the next waiter of each lock that is not live.
--
-- KEYS[1]  alive key  prefix:id:alive:process, ends with the 22-character id of the process
-- All keys after that are lock keys, prefix:key.
-- ARGV[1]  this process's members of queues without the lockId: part/queue.lua says what that is
-- All arguments after that are lockIds, each of the waiter for the lock key at the same place.
--
-- Returns  a letter for each waiter: F waits and is the first, W waits, G is not in the queue.
--          A + follows if there are more dead waiters than a step drops.
-- Errors   only those of Redis

local call, sub = redis.call, string.sub
local aliveKey = KEYS[1]
local base, process = sub(aliveKey, 1, -29), sub(aliveKey, -22)

-- QueueTimes.ALIVE. A key that is there already takes no memory, which Redis may be out of.
if call('PEXPIRE', aliveKey, 3000) == 0 then
  call('SET', aliveKey, '1', 'PX', 3000)
end

-- include part/clock.lua
local function countFence(fenceKey, survives)
  -- include part/fence.lua
  return fence
end
-- One that is not what a client writes is an error, which has no lockId.
local function decoded(held)
  -- include part/record.lua
  return lock
end

local function state(lockKey, lockId)
  -- include part/queue.lua
  -- include part/next.lua

  -- The scripts let a record live 5000 ms past expiresAtMs, others' for no longer. So if more than 4000 ms are left, it is live.
  local staleIndex
  local live = call('PTTL', lockKey) > 4000
  if not live then
    local held = call('GET', lockKey)
    local lock = held and decoded(held)
    live = lock and (not lock.lockId or lock.expiresAtMs > now - 1000)
    staleIndex = lock and not live and base .. lock.lockId
  end

  local member = lockId .. ARGV[1]
  local rank = call('ZRANK', queueKey, member)
  if rank ~= 0 or not live then
    local first = firstAlive()
    if first and not live then
      serve(first, staleIndex)
    end
    rank = call('ZRANK', queueKey, member)
  end
  if not rank then
    return 'G', more
  end
  call('PEXPIRE', queueKey, 60000)
  return rank == 0 and 'F' or 'W', more
end

local states, left = {}, ''
for i = 2, #KEYS do
  local letter, more = state(KEYS[i], ARGV[i])
  states[i - 1] = letter
  left = more and '+' or left
end
return table.concat(states) .. left
