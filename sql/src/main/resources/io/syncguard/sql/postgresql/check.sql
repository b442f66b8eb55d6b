-- Tells whether this database is set up for all we do. Touches no table, because a replica lets nobody touch
-- the waiters.
--
-- Returns tables, whether they and their functions are all there; isolation, that of a transaction;
-- read_only, whether it may not write; server_pid, the number of the server's process

SELECT
  to_regclass('{locks}') IS NOT NULL
    AND to_regclass('{fences}') IS NOT NULL
    AND to_regclass('{waiters}') IS NOT NULL
    AND to_regprocedure('{acquire}(text, text, text, text, bigint, text)') IS NOT NULL
    AND to_regprocedure('{release}(text, text)') IS NOT NULL
    AND to_regprocedure('{extend}(text, bigint)') IS NOT NULL
    AND to_regclass('{semaphores}') IS NOT NULL
    AND to_regclass('{permits}') IS NOT NULL
    AND to_regprocedure('{acquire_permit}(text, text, bigint, bigint, bigint, bigint, text)') IS NOT NULL
    AND to_regprocedure('{release_permit}(text, text)') IS NOT NULL
    AND to_regprocedure('{ping_permits}(text, text, bigint)') IS NOT NULL
    AND to_regprocedure('{resize_semaphore}(text, bigint)') IS NOT NULL
    AND to_regprocedure('{sweep_semaphores}(bigint, bigint)') IS NOT NULL
    AND to_regclass('{secrets}') IS NOT NULL
    AND to_regclass('{payloads}') IS NOT NULL
    AND to_regprocedure('{view_secret}(text)') IS NOT NULL
    AND to_regprocedure('{burn_secret}(text)') IS NOT NULL
    AND to_regclass('{counters}') IS NOT NULL
    AND to_regclass('{limiters}') IS NOT NULL
    AND to_regprocedure('{increment_counter}(text, bigint, bigint)') IS NOT NULL
    AND to_regprocedure('{acquire_rate}(text, bigint, bigint)') IS NOT NULL AS tables,
  current_setting('transaction_isolation') AS isolation,
  current_setting('transaction_read_only')::boolean AS read_only,
  pg_backend_pid() AS server_pid
