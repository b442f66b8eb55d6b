-- Counts the holders of slots and the waiters, without the dead. Only reads.
--
-- KEYS     part/names.lua says which
--
-- Returns  <slots taken>, <limit>, <waiting>, <how long the first has waited, in ms>; nothing if there are none
-- Errors   only those of Redis

-- include part/names.lua
-- include part/names_of_waiters.lua
-- include part/clock.lua

-- It looks at this many of the dead, as Redis serves no other client meanwhile. If there are more that no step has forgotten
-- yet, it counts holders of the reference past their ttl, and says 0 for how long the first has waited.
local most = 1000
local from = string.format('%.6f', now)

local taken = call('ZCOUNT', mainKey, from, '+inf')
for _, id in ipairs(call('ZRANGEBYSCORE', ttlKey, '-inf', '(' .. from, 'LIMIT', 0, most)) do
  local alive = call('ZSCORE', mainKey, id)
  if alive and tonumber(alive) >= now then
    taken = taken - 1
  end
end

local waiting = call('ZCOUNT', heartbeatKey, from, '+inf')
if taken == 0 and waiting == 0 then
  return false
end

local longest = 0
for rank = 0, (waiting > 0 and most or 0) - 1 do
  local first = call('ZRANGE', waitingKey, rank, rank, 'WITHSCORES')
  if not first[1] then
    break
  end
  local alive = call('ZSCORE', heartbeatKey, first[1])
  if alive and alive - now >= 0 then
    longest = math.max(0, now - first[2])
    break
  end
end
return {taken, tonumber(call('GET', maxKey) or taken), waiting, longest * 1000}
