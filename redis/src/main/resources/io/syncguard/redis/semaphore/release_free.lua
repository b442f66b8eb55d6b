-- Gives up a slot that nobody waits for and nobody else has one beside. A part of release.lua, which says what ARGV are; after
-- names.lua.

local id, heir, begun = ARGV[2], ARGV[3], ARGV[6]
local slots = call('ZRANGE', mainKey, 0, 1, 'WITHSCORES')
if slots[1] == id and not slots[3] and slots[2] - now >= 0 and not heir and call('EXISTS', waitingKey) == 0 then
  if call('DEL', mainKey, ttlKey, maxKey) < 3 then
    call('DEL', notification .. id)
  end
  return 1
end
