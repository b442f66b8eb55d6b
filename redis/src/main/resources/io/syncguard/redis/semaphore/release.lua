-- Gives up a slot, confirmed or not, or a place in the queue, and wakes up the next in the same step.
-- After wake_up_nexts.lua, which says what KEYS[1] to KEYS[5] and ARGV[1] to ARGV[2] are.
--
-- ARGV[3]  id
--
-- Returns  1  it had a slot
--          2  it was in the queue
--          0  it was not known
-- Errors   none of its own

local id = ARGV[3]

-- With nobody in the queue there is nobody to wake up. The score is never beyond the ttl, so it tells whether it is dead.
local alive = call('ZSCORE', mainKey, id)
if alive and tonumber(alive) >= now and call('EXISTS', waitingKey) == 0 then
  call('ZREM', mainKey, id)
  if call('ZREM', ttlKey, id) == 0 then
    call('DEL', notification .. id)
  end
  if call('EXISTS', mainKey) == 0 then
    call('DEL', maxKey)
  end
  return 1
end

readLimit()
forgetTheDead()
local had = call('ZREM', mainKey, id)
local waited = call('ZREM', waitingKey, id)
if had == 1 then
  forget(id)
elseif waited == 1 then
  call('ZREM', heartbeatKey, id)
end
if wakeUpNexts() == 0 and call('EXISTS', waitingKey) == 0 then
  call('DEL', maxKey)
end
if had == 1 then
  return 1
end
return waited == 1 and 2 or 0
