-- Settles a batch of names whose users died; setup.sql says how.
--
-- :keep_ms how long ago somebody must have touched a name
-- :batch   how many names at the most
--
-- Returns swept, the number of names

SELECT {sweep_semaphores}(:keep_ms, :batch) AS swept
