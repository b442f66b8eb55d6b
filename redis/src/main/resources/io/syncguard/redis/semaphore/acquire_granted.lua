-- Confirms a slot that was granted: there is nothing to settle. A part of acquire.lua, after outlive.lua.

local function held(taken)
  outliveSlot(life)
  return {'held', tostring(taken), milliseconds(expires)}
end

local function confirm()
  if call('ZADD', ttlKey, 'NX', expires, id) == 1 then
    call('DEL', KEYS[6])
  else
    expires = tonumber(call('ZSCORE', ttlKey, id))
  end
  call('ZADD', mainKey, math.min(now + heartbeat, expires), id)
  return held(call('ZCARD', mainKey))
end

local alive = tonumber(call('ZSCORE', mainKey, id) or nil)
if alive and alive >= now then
  return confirm()
end
