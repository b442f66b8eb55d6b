-- Grants free slots to the first in the queue. A part of other scripts, after outlive.lua and forget_the_dead.lua; it defines what
-- they use.

-- How long a grant is kept until it is confirmed, in milliseconds: GrantLease.LONGEST.
local leaseMs = 5000
local lease = leaseMs / 1000
local limit = tonumber(call('GET', maxKey) or nil)

-- What SemaphoreLayout.channel begins with, and at which place of an id the rest is.
local channels, channelAt, idLength = 'syncguard:granted:', 44, 65

-- Clients of the reference look as often as they like, and their heartbeats keep a slot that they were granted as they kept the
-- place in the queue. So the slot, and the list that they look at, wait for as long as the waiter counts as alive, not for a lease.
local function grantToReference(id, alive)
  local aliveMs = math.ceil((alive - now) * 1000)
  call('ZADD', mainKey, alive, id)
  outlive(mainKey, aliveMs + 10000)
  call('RPUSH', notification .. id, '1')
  call('PEXPIRE', notification .. id, aliveMs + 60000)
end

-- Whoever listens to its process's channel is told there, in the same step as the grant. All others have a list that is gone soon,
-- and so has, on Cluster, whoever listens at another node: ours are told that it has changed. Either may get lost; the slot is the
-- truth.
local function grant(id, alive)
  if #id ~= idLength then
    return grantToReference(id, alive)
  end
  call('ZADD', mainKey, math.min(now + lease, alive), id)
  local channel = channels .. string.sub(id, channelAt)
  local heard = redis.pcall('PUBLISH', channel, id)
  if type(heard) == 'number' and heard > 0 then
    return
  end
  call('RPUSH', notification .. id, '1')
  call('PEXPIRE', notification .. id, leaseMs)
end

-- Grants what the limit leaves, but does not look at more waiters than a step may; returns how many slots are taken afterwards.
local function wakeUpNexts(taken)
  local looks = 0
  while limit and taken < limit do
    if looks == most then
      more = true
      break
    end
    looks = looks + 1
    local id = call('ZPOPMIN', waitingKey)[1]
    if not id then
      break
    end
    local alive = (call('ZSCORE', heartbeatKey, id) or now + lease) + 0
    call('ZREM', heartbeatKey, id)
    if alive >= now then
      taken = taken + 1
      grant(id, alive)
    end
  end
  return taken
end
