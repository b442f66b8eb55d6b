-- Reads the server's clock. Needs names.lua.

local time = call('TIME')
local now = time[1] + time[2] / 1000000
