-- Tells whether this database is set up for locks. Touches no table, because a replica lets nobody touch the waiters.
--
-- Returns tables, whether they and their functions are all there; isolation, that of a transaction;
-- server_pid, the number of the server's process

SELECT
  to_regclass('{locks}') IS NOT NULL
    AND to_regclass('{fences}') IS NOT NULL
    AND to_regclass('{waiters}') IS NOT NULL
    AND to_regproc('{acquire}') IS NOT NULL
    AND to_regproc('{release}') IS NOT NULL
    AND to_regproc('{extend}') IS NOT NULL AS tables,
  current_setting('transaction_isolation') AS isolation,
  pg_backend_pid() AS server_pid
