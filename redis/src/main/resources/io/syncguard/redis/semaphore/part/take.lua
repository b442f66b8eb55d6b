-- Takes a slot if it was decided which. Needs terms.lua and outlive.lua.

if slot then
  call('ZADD', mainKey, aliveUntil, id)
  call('ZADD', ttlKey, expires, id)
  outliveSlot(life)
  return {slot, math.floor(expires * 1000)}
end
