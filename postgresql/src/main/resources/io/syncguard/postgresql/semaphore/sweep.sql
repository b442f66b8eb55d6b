-- Settles a batch of names whose users died; setup.sql says how.
--
-- :keep_ms how long a name must have been left alone
-- :batch   how many names at the most
--
-- Returns swept, the number of names

SELECT {sweep_semaphores}(:keep_ms, :batch) AS swept
