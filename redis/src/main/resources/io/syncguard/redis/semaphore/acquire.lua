-- Gets a slot, confirms one that was granted, or takes a place in the queue. May be repeated: what is known of the id decides.
-- After names.lua, acquire_free.lua, wake_up_nexts.lua and queue.lua.
--
-- KEYS[6]  this permit's notification list
-- ARGV[3]  id
-- ARGV[4]  limit
-- ARGV[5]  heartbeat timeout, in milliseconds
-- ARGV[6]  ttl, in milliseconds
-- ARGV[7]  1 to wait in the queue, 0 not to
--
-- Returns  held, <slots taken>, <expiry in ms>
--          waiting, <ticket>
--          busy           not in the queue, not even if it was before
--          limit, <limit> the name is in use with another one
-- Errors   none of its own

local ownLimit, waits = tonumber(ARGV[4]), ARGV[7] == '1'

-- A key that was empty in between is a new one, without an expiry. What else belongs to it is at least as old.
local function hold(taken)
  if call('PTTL', mainKey) < life or call('PTTL', ttlKey) < life then
    outlive(mainKey, life)
    outlive(ttlKey, life)
    outlive(maxKey, life)
  end
  return held(taken)
end

local function take(taken)
  call('ZADD', mainKey, now + math.min(heartbeat, ttl), id)
  call('ZADD', ttlKey, expires, id)
  return hold(taken)
end

local function confirm(taken)
  if call('ZADD', ttlKey, 'NX', expires, id) == 1 then
    call('DEL', KEYS[6])
  else
    expires = tonumber(call('ZSCORE', ttlKey, id))
  end
  call('ZADD', mainKey, math.min(now + heartbeat, expires), id)
  return hold(taken)
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
local alive = tonumber(call('ZSCORE', mainKey, id) or nil)
if alive and alive >= now then
  return confirm(taken)
end
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
  return confirm(taken)
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
