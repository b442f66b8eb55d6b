-- Puts the id at the end of the queue if that was decided, unless it has a place already. Needs terms.lua, names_of_waiters.lua
-- and outlive.lua.
--
-- Tickets increase strictly: waiters that come in the same microsecond are not sorted by their ids.

if joins then
  local last = call('ZREVRANGE', waitingKey, 0, 0, 'WITHSCORES')[2] or 0
  local ticket = now
  if last - now >= 0 then
    ticket = last + 0.000001
  end
  if call('ZADD', waitingKey, 'NX', string.format('%.6f', ticket), id) == 0 then
    ticket = call('ZSCORE', waitingKey, id)
  end
  call('ZADD', heartbeatKey, now + heartbeat, id)
  if call('PTTL', waitingKey) < life then
    outlive(waitingKey, life)
    outlive(heartbeatKey, life)
    outlive(maxKey, life)
  end
  return {0, math.floor(ticket * 1000000 + 0.5)}
end
