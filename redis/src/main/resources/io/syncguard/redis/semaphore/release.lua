-- Gives up a slot, confirmed or not, or a place in the queue, and wakes up the next in the same step.
-- Script.java says in which order the parts come; this one is for what is not usual.
--
-- ARGV[1]  id
-- ARGV[2]  the heir: a waiter of the same process, who gets the slot at once if it is the next; may be missing
-- ARGV[3]  the heir's heartbeat timeout, in milliseconds
-- ARGV[4]  the heir's ttl, in milliseconds
-- ARGV[5]  only if the heir has begun already, in the place of the other: any value
--
-- Returns  1                              it had a slot
--          2                              it was in the queue
--          0                              it was not known
--          <slots taken>, <expiry in ms>  it had a slot, and the heir holds one now
--          -1, <expiry in ms>             the same, but the limit is another than the slots taken: whoever has begun keeps its own
--          0, <expiry in ms>              it was not known, and the heir who has begun holds a slot
-- Errors   none of its own

local heirsExpiry
if begun then
  local granted = call('ZSCORE', mainKey, heir)
  if granted and granted - now >= 0 then
    -- Somebody else's release has granted it a slot in the meantime, or an earlier try has given it this one.
    call('ZADD', ttlKey, 'NX', now + ARGV[4] / 1000, heir)
    local expires = call('ZSCORE', ttlKey, heir) + 0
    call('ZADD', mainKey, math.min(now + ARGV[3] / 1000, expires), heir)
    call('DEL', notification .. heir)
    outliveSlot(math.max(ARGV[3], ARGV[4]) + 10000)
    heirsExpiry = math.floor(expires * 1000)
  else
    -- It has been released, or its place was lost, or that of the other: then its heartbeat tells it.
    call('ZREM', waitingKey, heir)
    call('ZREM', heartbeatKey, heir)
  end
end

if hadSlot then
  local left = wakeUpNexts(others)
  if left == 0 and call('EXISTS', waitingKey) == 0 then
    call('DEL', maxKey)
  elseif left > others then
    outlive(mainKey, leaseMs + 10000)
  end
  return heirsExpiry and {left, heirsExpiry} or 1
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
return heirsExpiry and {0, heirsExpiry} or waited == 1 and 2 or 0
