-- Gives up a slot, confirmed or not, or a place in the queue, and wakes up the next in the same step.
-- After names.lua, release_last.lua and wake_up_nexts.lua.
--
-- ARGV[3]  id
--
-- Returns  1  it had a slot
--          2  it was in the queue
--          0  it was not known
-- Errors   none of its own

readLimit()
if alive and alive >= now then
  -- The next comes before it goes: main is never empty in between, and keeps its expiry, which is that of somebody alive.
  local left = wakeUpNexts(taken - 1)
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
if settle() == 0 and call('EXISTS', waitingKey) == 0 then
  call('DEL', maxKey)
end
return waited == 1 and 2 or 0
