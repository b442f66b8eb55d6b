-- Gives up a slot that nobody waits for and that is the only one. A part of release.lua, which says what ARGV are; after names.lua.
--
-- Whoever is in main has its slot, even if its heartbeat is missed: the dead are forgotten before a slot of theirs is given away.
-- So there is no clock to read.

local id, heir, begun = ARGV[1], ARGV[2], ARGV[5]
local hadSlot = not heir and call('ZREM', mainKey, id) == 1
local inUse = hadSlot and call('EXISTS', mainKey, waitingKey)

if inUse == 0 and call('DEL', ttlKey, maxKey) == 2 then
  return 1
end
