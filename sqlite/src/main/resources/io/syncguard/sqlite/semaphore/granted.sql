-- Finds the permits that were granted a slot and have not confirmed it.
--
-- Returns a row for each: id

SELECT id FROM syncguard_permits INDEXED BY syncguard_permits_granted WHERE state = 'granted'
