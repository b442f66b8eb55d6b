-- Puts a waiter at the end of the queue. A part of acquire.lua.
--
-- Tickets increase strictly: those who come in the same microsecond are not sorted by their ids.

local function queue(id, heartbeat)
  local last = call('ZREVRANGE', waitingKey, 0, 0, 'WITHSCORES')[2]
  local ticket = last and math.max(now, last + 0.000001) or now
  call('ZADD', waitingKey, ticket, id)
  call('ZADD', heartbeatKey, now + heartbeat, id)
  return ticket
end
