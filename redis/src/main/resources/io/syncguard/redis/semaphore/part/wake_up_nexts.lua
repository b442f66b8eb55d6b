-- Defines wakeUpNexts, which grants free slots to the first in the queue. Needs outlive.lua and forget_the_dead.lua.

-- How long a grant is kept until it is confirmed, in milliseconds: GrantLease.LONGEST.
local leaseMs = 5000
local lease = leaseMs / 1000
local limit = tonumber(call('GET', maxKey) or nil)

-- What SemaphoreLayout.channel begins with, and at which place of an id the rest is.
local channels, channelAt, idLength = 'syncguard:granted:', 44, 65

-- Clients of the reference may look seldom, and their heartbeats keep a granted slot as they kept the place in the queue. So the
-- slot, and the list that they look at, wait for as long as the waiter counts as alive, not for a lease.
local function grantToReference(id, alive)
  local aliveMs = math.ceil((alive - now) * 1000)
  call('ZADD', mainKey, alive, id)
  outlive(mainKey, aliveMs + 10000)
  call('RPUSH', notification .. id, '1')
  call('PEXPIRE', notification .. id, aliveMs + 60000)
end

-- If the waiter's process listens to its channel, it is told there, in the same step as the grant. Otherwise, and on Cluster if it
-- listens at another node, the hint goes to the waiter's list, which is gone soon and whose change Redis tells. Either hint may get
-- lost; the slot is the truth.
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
