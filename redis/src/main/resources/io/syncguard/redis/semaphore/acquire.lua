-- Gets a slot, confirms one that was granted, or takes a place in the queue. May be repeated: what is known of the id decides.
-- The usual cases come first. What defines functions comes after them, as they would only be slower for it.
--
-- KEYS     part/names.lua says which
-- ARGV[1]  id
-- ARGV[2]  heartbeat timeout, in milliseconds
-- ARGV[3]  ttl, in milliseconds
-- ARGV[4]  limit
-- ARGV[5]  only not to wait in the queue: any value
--
-- Returns  <expiry in ms>                 held, and it is the only one
--          <slots taken>, <expiry in ms>  held; if it was granted before, followed by for how many ms it has been held
--          0, <ticket in us>              waiting
--          busy                           not in the queue, not even if it was before
--          limit, <limit>                 the name is in use with another one
--          again                          nothing is decided: there is more to settle than a step does
-- Errors   only those of Redis

-- include part/names.lua
-- include part/clock.lua
-- include part/terms.lua

-- A name that is not in use: there is nothing to settle.
if call('EXISTS', mainKey, waitingKey) == 0 then
  call('SET', maxKey, ARGV[4], 'PX', ARGV[3])
  call('ZADD', mainKey, aliveUntil, id)
  call('PEXPIRE', mainKey, ARGV[3])
  call('ZADD', ttlKey, expires, id)
  call('PEXPIRE', ttlKey, ARGV[3])
  -- A number is sooner made, sent and read than a list, and this is the case that has to be fast.
  return math.floor(expires * 1000)
end

-- include part/names_of_waiters.lua
-- include part/outlive.lua
-- include part/granted.lua

-- There is nothing to settle either if a slot is free and there are no waiters, or if no slot is free.
local limit, waits = call('GET', maxKey), not ARGV[5]
local slot, joins
if limit == ARGV[4] and not alive then
  -- From the next second on: all that count are alive, and Redis reads a bound without a fraction sooner.
  local living = call('ZCOUNT', mainKey, time[1] + 1, '+inf')
  if living >= limit + 0 then
    joins = waits
  elseif living == call('ZCARD', mainKey) and call('EXISTS', waitingKey) == 0 then
    slot = living + 1
  end
end

-- include part/take.lua
-- include part/queue.lua

-- All else. Settling may have granted the id a slot.
-- include part/forget_the_dead.lua
-- include part/wake_up_nexts.lua
-- include part/settle.lua
-- include again part/granted.lua

if more then
  return 'again'
end

local place = call('ZSCORE', waitingKey, id)
if place and not waits then
  call('ZREM', waitingKey, id)
  call('ZREM', heartbeatKey, id)
  return {'busy'}
end

local ownLimit = tonumber(ARGV[4])
if not place and limit ~= ownLimit then
  if limit and (taken > 0 or call('EXISTS', waitingKey) == 1) then
    return {'limit', limit}
  end
  call('SET', maxKey, ARGV[4], 'KEEPTTL')
  outlive(maxKey, life)
  limit = ownLimit
  taken = wakeUpNexts(taken)
  outlive(mainKey, leaseMs + 10000)
end

if not place and taken < limit then
  slot = taken + 1
elseif waits then
  joins = true
else
  return {'busy'}
end

-- include again part/take.lua
-- include again part/queue.lua
