-- Gives up a slot that nobody waits for and that is the only one. A part of release.lua, which says what ARGV are; after names.lua.

local id, heir, begun = ARGV[2], ARGV[3], ARGV[6]
local alive = call('ZSCORE', mainKey, id)
local hasSlot = alive and alive - now >= 0
local others = call('ZCARD', mainKey) - 1

if hasSlot and others == 0 and not heir and call('EXISTS', waitingKey) == 0 then
  if call('DEL', mainKey, ttlKey, maxKey) < 3 then
    call('DEL', notification .. id)
  end
  return 1
end
