-- Gets a slot, confirms one that was granted, or takes a place in the queue. May be repeated: what is known of the id decides.
-- Script.java says in which order the parts come; this one is for what is not usual, after settle.lua and acquire_granted.lua.
--
-- ARGV[1]  id
-- ARGV[2]  limit
-- ARGV[3]  heartbeat timeout, in milliseconds
-- ARGV[4]  ttl, in milliseconds
-- ARGV[5]  only not to wait in the queue: any value
--
-- Returns  <expiry in ms>                 held, and it is the only one
--          <slots taken>, <expiry in ms>  held; if it was granted before, followed by for how many ms it has been held
--          0, <ticket in us>, <ahead>     waiting; ahead is the ticket of the last who came before, 0 if the queue was empty,
--                                         -1 if the id was in it
--          busy                           not in the queue, not even if it was before
--          limit, <limit>                 the name is in use with another one
--          again                          nothing is decided: there is more to settle than a step does
-- Errors   none of its own

if more then
  return 'again'
end

local place = call('ZSCORE', waitingKey, id)
if place and not waits then
  call('ZREM', waitingKey, id)
  call('ZREM', heartbeatKey, id)
  return {'busy'}
end

local ownLimit = tonumber(ARGV[2])
if not place and limit ~= ownLimit then
  if limit and (taken > 0 or call('EXISTS', waitingKey) == 1) then
    return {'limit', limit}
  end
  call('SET', maxKey, ARGV[2], 'KEEPTTL')
  outlive(maxKey, life)
  limit = ownLimit
  taken = wakeUpNexts(taken)
  outlive(mainKey, leaseMs + 10000)
end

if not place and taken < limit then
  slot = taken + 1
elseif waits then
  joins = true
else
  return {'busy'}
end
