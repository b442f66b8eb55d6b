-- Reads the server's clock, in milliseconds (now). Fractions stay in: %d drops them, and no comparison with whole milliseconds
-- depends on them.

local time = call('TIME')
local now = time[1] * 1000 + time[2] / 1000
