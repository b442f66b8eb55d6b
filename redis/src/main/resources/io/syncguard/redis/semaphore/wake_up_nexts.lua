-- Grants free slots to the first in the queue. A part of other scripts, after names.lua; it defines what they use.
--
-- ARGV[2]  how long a grant is kept until it is confirmed, in milliseconds

local lease = ARGV[2] / 1000
local limit

local function readLimit()
  limit = tonumber(call('GET', maxKey) or nil)
end

local function grant(id, alive)
  call('ZADD', mainKey, math.min(now + lease, alive), id)
  -- The list is a hint and is gone soon; the slot is the truth. Clients of the reference block on it.
  call('RPUSH', notification .. id, '1')
  call('PEXPIRE', notification .. id, ARGV[2])
end

-- Grants what the limit leaves; returns how many slots are taken afterwards. The heir does not get a grant: inherit is told.
local function wakeUpNexts(taken, heir, inherit)
  while limit and taken < limit do
    local id = call('ZPOPMIN', waitingKey)[1]
    if not id then
      break
    end
    local alive = tonumber(call('ZSCORE', heartbeatKey, id) or now + lease)
    call('ZREM', heartbeatKey, id)
    if alive >= now then
      taken = taken + 1
      if id == heir then
        inherit(taken)
      else
        grant(id, alive)
      end
    end
  end
  return taken
end
