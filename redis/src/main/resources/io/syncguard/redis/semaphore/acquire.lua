-- Gets a slot, confirms one that was granted, or takes a place in the queue. May be repeated: what is known of the id decides.
-- After wake_up_nexts.lua, which says what KEYS[1] to KEYS[5] and ARGV[1] to ARGV[2] are, and queue.lua.
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

local id, ownLimit, heartbeat, ttl, waits = ARGV[3], tonumber(ARGV[4]), ARGV[5] / 1000, ARGV[6] / 1000, ARGV[7] == '1'
local life = math.ceil(math.max(heartbeat, ttl) * 1000) + 10000

local function held(expires, taken)
  return {'held', tostring(taken), string.format('%.0f', math.floor(expires * 1000))}
end

local function hold(taken)
  local expires = now + ttl
  call('ZADD', ttlKey, expires, id)
  outlive(mainKey, life)
  outlive(ttlKey, life)
  outlive(maxKey, life)
  return held(expires, taken)
end

local function waiting(ticket)
  outlive(waitingKey, life)
  outlive(heartbeatKey, life)
  outlive(maxKey, life)
  return {'waiting', string.format('%.0f', ticket * 1000000)}
end

-- With nobody in the queue and a slot free there is nothing to settle, and the dead do not matter.
if call('EXISTS', waitingKey) == 0 then
  local taken = call('ZCARD', mainKey)
  if taken == 0 then
    call('SET', maxKey, ARGV[4], 'PX', life)
    limit = ownLimit
  else
    readLimit()
  end
  if limit == ownLimit and taken < limit and call('ZADD', mainKey, 'NX', now + math.min(heartbeat, ttl), id) == 1 then
    return hold(taken + 1)
  end
end

readLimit()
forgetTheDead()
local taken = wakeUpNexts()
if call('ZSCORE', mainKey, id) then
  local expires = tonumber(call('ZSCORE', ttlKey, id) or nil)
  call('ZADD', mainKey, math.min(now + heartbeat, expires or now + ttl), id)
  if expires then
    return held(expires, taken)
  end
  call('DEL', KEYS[6])
  return hold(taken)
end

local place = call('ZSCORE', waitingKey, id)
if place then
  if waits then
    call('ZADD', heartbeatKey, now + heartbeat, id)
    return waiting(tonumber(place))
  end
  call('ZREM', waitingKey, id)
  call('ZREM', heartbeatKey, id)
  return {'busy'}
end

local unused = taken == 0 and call('EXISTS', waitingKey) == 0
if not unused and limit and limit ~= ownLimit then
  return {'limit', tostring(limit)}
end
if limit ~= ownLimit then
  call('SET', maxKey, ARGV[4], 'KEEPTTL')
  limit = ownLimit
  taken = wakeUpNexts()
end
if taken < limit then
  call('ZADD', mainKey, now + math.min(heartbeat, ttl), id)
  return hold(taken + 1)
elseif waits then
  return waiting(queue(id, heartbeat))
end
return {'busy'}
