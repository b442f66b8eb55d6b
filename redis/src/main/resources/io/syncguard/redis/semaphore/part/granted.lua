-- Confirms a slot that the id has been granted, or says again that it holds one. Needs terms.lua, names_of_waiters.lua and
-- outlive.lua.

local alive = call('ZSCORE', mainKey, id)
if alive and alive - now >= 0 then
  local age = 0
  if call('ZADD', ttlKey, 'NX', expires, id) == 1 then
    call('DEL', notification .. id)
  else
    expires = call('ZSCORE', ttlKey, id) + 0
    aliveUntil = math.min(now + heartbeat, expires)
    age = math.ceil((now + ttl - expires) * 1000)
  end
  call('ZADD', mainKey, aliveUntil, id)
  outliveSlot(life)
  return {call('ZCARD', mainKey), math.floor(expires * 1000), age}
end
