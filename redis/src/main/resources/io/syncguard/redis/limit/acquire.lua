-- Allows by GCRA, or tells how long to wait.
--
-- KEYS[1]  limiter    prefix:id:rate:name, holds the arrival time at which it is idle, in seconds
-- ARGV[1]  cost       in ns, at most the burst
-- ARGV[2]  burst      in ns, at most 30 days
--
-- Returns  0 allowed, otherwise in how many ns it would be
-- Errors   CORRUPT    it is not what a client writes

-- Nanoseconds since 1970 do not fit into a double, nanoseconds of 30 days do: all numbers here are exact.
local time = redis.call('TIME')
local nowSeconds, nowNanos = tonumber(time[1]), time[2] * 1000
local burst = tonumber(ARGV[2])
local ahead, storedAhead = 0, 0
local stored = redis.call('GET', KEYS[1])
if stored then
  local seconds, nanos = string.match(stored, '^(%d+)%.(%d%d%d%d%d%d%d%d%d)$')
  if not seconds then
    return {err = 'CORRUPT limiter'}
  end
  storedAhead = (seconds - nowSeconds) * 1e9 + (nanos - nowNanos)
  ahead = math.min(math.max(0, storedAhead), burst)
end

local function store(newAhead)
  local sum = nowNanos + newAhead
  local seconds = math.floor(sum / 1e9)
  local arrival = string.format('%.0f.%09.0f', nowSeconds + seconds, sum - seconds * 1e9)
  redis.call('SET', KEYS[1], arrival, 'PX', math.ceil(newAhead / 1e6))
end

local wanted = ahead + ARGV[1]
if wanted <= burst then
  store(wanted)
  return '0'
end
if storedAhead > burst then
  store(burst)
end
return string.format('%.0f', wanted - burst)
