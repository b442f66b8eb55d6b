-- Takes a slot if it was decided which. A part of acquire.lua, after outlive.lua.

if slot then
  call('ZADD', mainKey, aliveUntil, id)
  call('ZADD', ttlKey, expires, id)
  outliveSlot(life)
  return {slot, math.floor(expires * 1000)}
end
