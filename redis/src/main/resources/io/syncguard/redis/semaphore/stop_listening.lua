-- Has Redis forget the listeners to lists that nothing will be pushed to any more: it forgets only lists that change.
--
-- KEYS[1]  a list, ns:acquisition_notification:id; all keys after that are lists as well
--
-- Returns  how many there were
-- Errors   only those of Redis

for _, key in ipairs(KEYS) do
  redis.call('SET', key, '', 'PX', 1000)
  redis.call('DEL', key)
end
return #KEYS
