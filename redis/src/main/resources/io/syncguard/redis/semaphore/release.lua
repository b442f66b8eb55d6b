-- Gives up a slot, confirmed or not, or a place in the queue, and wakes up the next in the same step.
-- The usual cases come first. What defines functions comes after them, as they would only be slower for it.
--
-- KEYS     part/names.lua says which
-- ARGV[1]  id
--
-- Returns  1                         it had a slot
--          2                         it was in the queue
--          0                         it was not known
--          <1, 2 or 0>, <grant>, ..  as above, and waiters of the same process were granted slots: part/wake_up_nexts.lua
--                                    says how these are told
-- Errors   only those of Redis

-- include part/names.lua

-- The only slot, without a waiter. A client in main has its slot, even if its heartbeat is missed: the dead are forgotten before
-- a slot of theirs is given away. So there is no clock to read.
local id = ARGV[1]
local hadSlot = call('ZREM', mainKey, id) == 1
local inUse = hadSlot and call('EXISTS', mainKey, waitingKey)

if inUse == 0 and call('DEL', ttlKey, maxKey) == 2 then
  return 1
end

-- include part/names_of_waiters.lua

-- A slot beside others, without a waiter.
local taken = call('ZCARD', mainKey)

if hadSlot then
  if call('ZREM', ttlKey, id) == 0 then
    call('DEL', notification .. id)
  end
  if inUse == 0 or inUse == 1 and taken > 0 then
    if taken == 0 then
      call('DEL', maxKey)
    end
    return 1
  end
end

-- All else.
-- include part/clock.lua
-- include part/outlive.lua
-- include part/forget_the_dead.lua
-- include part/wake_up_nexts.lua

local result = 1
if not hadSlot then
  forgetTheDead()
  result = call('ZREM', waitingKey, id) * 2
  call('ZREM', heartbeatKey, id)
  taken = call('ZCARD', mainKey)
end

asking = processOf(id)
if wakeUpNexts(taken) == 0 and call('EXISTS', waitingKey) == 0 then
  call('DEL', maxKey)
end
outlive(mainKey, leaseMs + 10000)
return told[1] and {result, unpack(told)} or result
