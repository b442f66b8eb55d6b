-- Gives up a slot, confirmed or not, or a place in the queue, and wakes up the next in the same step.
-- After names.lua, release_last.lua, outlive.lua, wake_up_nexts.lua, release_held.lua and settle.lua.
--
-- ARGV[3]  id
-- ARGV[4]  the heir: a waiter of the same process, who gets the slot at once if it is the next; may be missing
-- ARGV[5]  the heir's heartbeat timeout, in milliseconds
-- ARGV[6]  the heir's ttl, in milliseconds
--
-- Returns  1  it had a slot
--          2  it was in the queue
--          0  it was not known
--          inherited, <slots taken>, <expiry in ms>  it had a slot, which the heir holds now
-- Errors   none of its own

forgetTheDead()
local waited = call('ZREM', waitingKey, id)
if waited == 1 then
  call('ZREM', heartbeatKey, id)
end
if settle() == 0 and call('EXISTS', waitingKey) == 0 then
  call('DEL', maxKey)
end
return waited == 1 and 2 or 0
