-- Names what only waiters need: keys that are not sent with every call, as each costs Redis more than naming them here.
-- Needs names.lua.
--
-- KEYS[5]    only on Cluster: the beginning of notification lists there, ns:acquisition_notification:{name}:
-- KEYS[6]    only on Cluster, where it must be in the same place as the others: the heartbeats
-- heartbeat  ns:semaphore_waiting_heartbeat:name  the waiters, by when their heartbeat is missed
-- lists      ns:acquisition_notification:id       a hint to one waiter
--
-- A namespace or a name may look like anything. The namespace ends where the two keys begin to differ.

local ends = 0
repeat
  ends = string.find(maxKey, ':semaphore_max:', ends + 1, true)
until string.sub(mainKey, ends, ends + 15) == ':semaphore_main:'
local namespace = string.sub(maxKey, 1, ends - 1)
local heartbeatKey = KEYS[6] or namespace .. ':semaphore_waiting_heartbeat:' .. string.sub(maxKey, ends + 15)
local notification = KEYS[5] or namespace .. ':acquisition_notification:'
