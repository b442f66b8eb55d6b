-- Puts a waiter at the end of the queue, unless it has a place already. A part of acquire.lua.
--
-- Tickets increase strictly: those who come in the same microsecond are not sorted by their ids.

local function queue(id, heartbeat)
  local last = call('ZREVRANGE', waitingKey, 0, 0, 'WITHSCORES')[2]
  local ticket = last and math.max(now, last + 0.000001) or now
  if call('ZADD', waitingKey, 'NX', ticket, id) == 0 then
    ticket = tonumber(call('ZSCORE', waitingKey, id))
  end
  call('ZADD', heartbeatKey, now + heartbeat, id)
  return ticket
end
