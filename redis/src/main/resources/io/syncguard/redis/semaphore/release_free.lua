-- Gives up a slot that nobody waits for and that is the only one. A part of release.lua, which says what ARGV are; after names.lua.
--
-- Whoever is in main has its slot, even if its heartbeat is missed: the dead are forgotten before a slot of theirs is given away.
-- So there is no clock to read.

local id, heir, begun = ARGV[2], ARGV[3], ARGV[6]
local hadSlot = not heir and call('ZREM', mainKey, id) == 1

if hadSlot and call('EXISTS', mainKey, waitingKey) == 0 then
  if call('DEL', ttlKey, maxKey) < 2 then
    call('DEL', notification .. id)
  end
  return 1
end
