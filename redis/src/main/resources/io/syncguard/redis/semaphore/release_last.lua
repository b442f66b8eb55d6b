-- Gives up the only slot that is taken, where nobody waits. A part of release.lua, which says what ARGV are.

local id = ARGV[3]
local alive = tonumber(call('ZSCORE', mainKey, id) or nil)
local taken = call('ZCARD', mainKey)

if taken == 1 and alive and alive >= now and call('EXISTS', waitingKey) == 0 then
  call('DEL', mainKey, ttlKey, maxKey, notification .. id)
  return 1
end
