-- Counts who has a slot and who waits, without the dead. Only reads.
--
-- KEYS[1]  main       ns:semaphore_main:name
-- KEYS[2]  ttl        ns:semaphore_ttl:name
-- KEYS[3]  max        ns:semaphore_max:name
-- KEYS[4]  waiting    ns:semaphore_waiting:name
-- KEYS[5]  heartbeat  ns:semaphore_waiting_heartbeat:name
--
-- Returns  <slots taken>, <limit>, <waiting>, <how long the first has waited, in ms>; nothing if there is nobody
-- Errors   none of its own

local call = redis.call
local time = call('TIME')
local now = time[1] + time[2] / 1000000
local from = string.format('%.6f', now)

local taken = call('ZCOUNT', KEYS[1], from, '+inf')
for _, id in ipairs(call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. from)) do
  local alive = call('ZSCORE', KEYS[1], id)
  if alive and tonumber(alive) >= now then
    taken = taken - 1
  end
end

local waiting = call('ZCOUNT', KEYS[5], from, '+inf')
if taken == 0 and waiting == 0 then
  return false
end

local longest = 0
local rank = 0
while waiting > 0 do
  local first = call('ZRANGE', KEYS[4], rank, rank, 'WITHSCORES')
  if not first[1] then
    break
  end
  local alive = call('ZSCORE', KEYS[5], first[1])
  if alive and tonumber(alive) >= now then
    longest = math.max(0, now - first[2])
    break
  end
  rank = rank + 1
end
return {taken, tonumber(call('GET', KEYS[3]) or taken), waiting, longest * 1000}
