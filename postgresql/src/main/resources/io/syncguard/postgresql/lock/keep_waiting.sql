-- Notes that a process lives and grants what is free of what its waiters wait for; setup_queue.sql says how.
--
-- :ids      a JSON array of its waiters' lockIds
-- :process  the process that waits
-- :channel  where to tell of a grant; empty for nowhere
--
-- Returns places, a letter for each id: W waiting, - not known, or to ask again

SELECT places FROM {keep_waiting}(:ids, :process, :channel)
