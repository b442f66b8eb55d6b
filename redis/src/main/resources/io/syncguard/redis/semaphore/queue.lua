-- Puts the id at the end of the queue if that was decided, unless it has a place already. A part of acquire.lua, after
-- outlive.lua.
--
-- Tickets increase strictly: those who come in the same microsecond are not sorted by their ids.

if joins then
  local ticket, score = now, string.format('%.6f', now)
  if call('ZCOUNT', waitingKey, score, '+inf') > 0 then
    ticket = call('ZREVRANGE', waitingKey, 0, 0, 'WITHSCORES')[2] + 0.000001
    score = string.format('%.6f', ticket)
  end
  if call('ZADD', waitingKey, 'NX', score, id) == 0 then
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
