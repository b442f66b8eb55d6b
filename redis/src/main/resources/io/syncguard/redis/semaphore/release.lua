-- Gives up a slot, confirmed or not, or a place in the queue, and wakes up the next in the same step.
-- The usual cases come first. What defines functions comes after them, as they would only be slower for it.
--
-- KEYS     part/names.lua says which
-- ARGV[1]  id
-- ARGV[2]  the heir: a waiter of the same process, which gets the slot at once if it is the next; may be missing
-- ARGV[3]  the heir's heartbeat timeout, in milliseconds
-- ARGV[4]  the heir's ttl, in milliseconds
-- ARGV[5]  only if the heir has begun already, in the place of the holder: any value
--
-- Returns  1                              it had a slot
--          2                              it was in the queue
--          0                              it was not known
--          <slots taken>, <expiry in ms>  it had a slot, and the heir holds one now
--          -1, <expiry in ms>             the same, but the limit is not the slots taken: an heir that has begun keeps its slot
--          0, <expiry in ms>              it was not known, and the heir that has begun holds a slot
-- Errors   only those of Redis

-- include part/names.lua

-- The only slot, without a waiter. A client in main has its slot, even if its heartbeat is missed: the dead are forgotten before
-- a slot of theirs is given away. So there is no clock to read.
local id, heir, begun = ARGV[1], ARGV[2], ARGV[5]
local hadSlot = not heir and call('ZREM', mainKey, id) == 1
local inUse = hadSlot and call('EXISTS', mainKey, waitingKey)

if inUse == 0 and call('DEL', ttlKey, maxKey) == 2 then
  return 1
end

-- include part/names_of_waiters.lua
-- include part/clock.lua
-- include part/outlive.lua

-- A slot without a waiter, or with the heir as the next waiter.
local others = call('ZCARD', mainKey)
local someWait = inUse == 2 or inUse == 1 and others == 0

if heir then
  hadSlot = call('ZSCORE', mainKey, id)
  local room = tonumber(call('GET', maxKey) or nil) == others
  local isNext = hadSlot and (begun or room and call('ZRANK', waitingKey, heir) == 0)

  if isNext and call('ZREM', waitingKey, heir) == 1 then
    -- The heir's own process is asking, so it is alive, and is told by the answer: the slot is confirmed, and needs no notification.
    -- It comes before the holder goes: main is never empty in between, and keeps its expiry, which is that of a living client.
    local heartbeat, ttl = ARGV[3] / 1000, ARGV[4] / 1000
    local life = math.max(ARGV[3], ARGV[4]) + 10000
    call('ZREM', heartbeatKey, heir)
    call('ZADD', mainKey, now + math.min(heartbeat, ttl), heir)
    call('ZADD', ttlKey, now + ttl, heir)
    call('ZREM', mainKey, id)
    if call('ZREM', ttlKey, id) == 0 then
      call('DEL', notification .. id)
    end
    outliveSlot(life)
    return {room and others or -1, math.floor((now + ttl) * 1000)}
  end
  others = others - call('ZREM', mainKey, id)
  someWait = call('EXISTS', waitingKey) == 1
end

if hadSlot then
  if call('ZREM', ttlKey, id) == 0 then
    call('DEL', notification .. id)
  end
  if not begun and not someWait then
    if others == 0 then
      call('DEL', maxKey)
    end
    return 1
  end
end

-- All else.
-- include part/forget_the_dead.lua
-- include part/wake_up_nexts.lua

local heirsExpiry
if begun then
  local granted = call('ZSCORE', mainKey, heir)
  if granted and granted - now >= 0 then
    -- Another client's release has granted it a slot in the meantime, or an earlier try has given it this one.
    call('ZADD', ttlKey, 'NX', now + ARGV[4] / 1000, heir)
    local expires = call('ZSCORE', ttlKey, heir) + 0
    call('ZADD', mainKey, math.min(now + ARGV[3] / 1000, expires), heir)
    call('DEL', notification .. heir)
    outliveSlot(math.max(ARGV[3], ARGV[4]) + 10000)
    heirsExpiry = math.floor(expires * 1000)
  else
    -- It has been released, or its place was lost, or the holder's slot was: then its heartbeat tells it.
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
