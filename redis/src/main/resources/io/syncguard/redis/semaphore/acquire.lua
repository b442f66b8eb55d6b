-- Gets a slot, confirms one that was granted, or takes a place in the queue. May be repeated: what is known of the id decides.
-- After names.lua, acquire_free.lua, outlive.lua, acquire_granted.lua, wake_up_nexts.lua, settle.lua and queue.lua.
--
-- KEYS[6]  this permit's notification list
-- ARGV[3]  id
-- ARGV[4]  limit
-- ARGV[5]  heartbeat timeout, in milliseconds
-- ARGV[6]  ttl, in milliseconds
-- ARGV[7]  1 to wait in the queue, 0 not to
--
-- Returns  <expiry in ms>  held, and it is the only one
--          held, <slots taken>, <expiry in ms>
--          waiting, <ticket>
--          busy           not in the queue, not even if it was before
--          limit, <limit> the name is in use with another one
-- Errors   none of its own

local ownLimit, waits = tonumber(ARGV[4]), ARGV[7] == '1'

local function take(taken)
  call('ZADD', mainKey, now + math.min(heartbeat, ttl), id)
  call('ZADD', ttlKey, expires, id)
  return held(taken)
end

local function wait()
  local ticket = queue(id, heartbeat)
  if call('PTTL', waitingKey) < life then
    outlive(waitingKey, life)
    outlive(heartbeatKey, life)
    outlive(maxKey, life)
  end
  return {'waiting', string.format('%.0f', ticket * 1000000)}
end

-- The usual cases, in which there is nothing to settle.
local taken = call('ZCARD', mainKey)
readLimit()
if limit == ownLimit and not alive then
  if taken < limit then
    if call('EXISTS', waitingKey) == 0 then
      return take(taken + 1)
    end
  elseif waits and not call('ZRANGEBYSCORE', mainKey, '-inf', past, 'LIMIT', 0, 1)[1] then
    return wait()
  end
end

taken = settle()
if call('ZSCORE', mainKey, id) then
  return confirm()
end
local place = call('ZSCORE', waitingKey, id)
if place and not waits then
  call('ZREM', waitingKey, id)
  call('ZREM', heartbeatKey, id)
  return {'busy'}
end
if not place and limit ~= ownLimit then
  if limit and (taken > 0 or call('EXISTS', waitingKey) == 1) then
    return {'limit', tostring(limit)}
  end
  call('SET', maxKey, ARGV[4], 'KEEPTTL')
  outlive(maxKey, life)
  limit = ownLimit
  taken = wakeUpNexts(taken)
end
if not place and taken < limit then
  return take(taken + 1)
elseif waits then
  return wait()
end
return {'busy'}
