-- Gives up a slot, confirmed or not, or a place in the queue, and wakes up the next in the same step.
-- Script.java says in which order the parts come; this one is for what is not usual.
--
-- ARGV[2]  id
-- ARGV[3]  the heir: a waiter of the same process, who gets the slot at once if it is the next; may be missing
-- ARGV[4]  the heir's heartbeat timeout, in milliseconds
-- ARGV[5]  the heir's ttl, in milliseconds
--
-- Returns  1                              it had a slot
--          2                              it was in the queue
--          0                              it was not known
--          <slots taken>, <expiry in ms>  it had a slot, which the heir holds now
-- Errors   none of its own

if hasSlot then
  local left = wakeUpNexts(others)
  call('ZREM', mainKey, id)
  if call('ZREM', ttlKey, id) == 0 then
    call('DEL', notification .. id)
  end
  if left == 0 and call('EXISTS', waitingKey) == 0 then
    call('DEL', maxKey)
  end
  return 1
end

forgetTheDead()
local waited = call('ZREM', waitingKey, id)
if waited == 1 then
  call('ZREM', heartbeatKey, id)
end
if wakeUpNexts(call('ZCARD', mainKey)) == 0 and call('EXISTS', waitingKey) == 0 then
  call('DEL', maxKey)
end
outlive(mainKey, leaseMs + 10000)
return waited == 1 and 2 or 0
