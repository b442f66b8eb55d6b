-- Counts who has a slot and who waits, without the dead. Only reads. After names_of_waiters.lua and clock.lua.
--
-- Returns  <slots taken>, <limit>, <waiting>, <how long the first has waited, in ms>; nothing if there is nobody
-- Errors   none of its own

local from = string.format('%.6f', now)

local taken = call('ZCOUNT', mainKey, from, '+inf')
for _, id in ipairs(call('ZRANGEBYSCORE', ttlKey, '-inf', '(' .. from)) do
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
local rank = 0
while waiting > 0 do
  local first = call('ZRANGE', waitingKey, rank, rank, 'WITHSCORES')
  if not first[1] then
    break
  end
  local alive = call('ZSCORE', heartbeatKey, first[1])
  if alive and tonumber(alive) >= now then
    longest = math.max(0, now - first[2])
    break
  end
  rank = rank + 1
end
return {taken, tonumber(call('GET', maxKey) or taken), waiting, longest * 1000}
