-- Tells whether this database is set up for all of SyncGuard. Touches no table, because a replica lets no client
-- touch what is unlogged.
--
-- Returns missing, the tables and functions that are not there, with a comma in between; isolation, that of a
-- transaction; read_only, whether it may not write; server_pid, the number of the server's process

SELECT
  (SELECT coalesce(string_agg(name, ','), '') FROM (VALUES
      ('{locks}', to_regclass('{locks}') IS NULL),
      ('{fences}', to_regclass('{fences}') IS NULL),
      ('{queues}', to_regclass('{queues}') IS NULL),
      ('{waiters}', to_regclass('{waiters}') IS NULL),
      ('{processes}', to_regclass('{processes}') IS NULL),
      ('{acquire}', to_regprocedure('{acquire}(text, text, text, text, bigint, bigint, text, text)') IS NULL),
      ('{release}', to_regprocedure('{release}(text, text, text)') IS NULL),
      ('{keep_waiting}', to_regprocedure('{keep_waiting}(text, text, text)') IS NULL),
      ('{extend}', to_regprocedure('{extend}(text, bigint)') IS NULL),
      ('{semaphores}', to_regclass('{semaphores}') IS NULL),
      ('{permits}', to_regclass('{permits}') IS NULL),
      ('{acquire_permit}', to_regprocedure('{acquire_permit}(text, text, bigint, bigint, bigint, bigint, text)') IS NULL),
      ('{release_permit}', to_regprocedure('{release_permit}(text, text)') IS NULL),
      ('{ping_permits}', to_regprocedure('{ping_permits}(text, text, bigint)') IS NULL),
      ('{resize_semaphore}', to_regprocedure('{resize_semaphore}(text, bigint)') IS NULL),
      ('{sweep_semaphores}', to_regprocedure('{sweep_semaphores}(bigint, bigint)') IS NULL),
      ('{secrets}', to_regclass('{secrets}') IS NULL),
      ('{payloads}', to_regclass('{payloads}') IS NULL),
      ('{view_secret}', to_regprocedure('{view_secret}(text, text)') IS NULL),
      ('{burn_secret}', to_regprocedure('{burn_secret}(text)') IS NULL),
      ('{counters}', to_regclass('{counters}') IS NULL),
      ('{limiters}', to_regclass('{limiters}') IS NULL),
      ('{increment_counter}', to_regprocedure('{increment_counter}(text, bigint, bigint)') IS NULL),
      ('{acquire_rate}', to_regprocedure('{acquire_rate}(text, bigint, bigint)') IS NULL)
    ) AS object (name, missing) WHERE missing) AS missing,
  current_setting('transaction_isolation') AS isolation,
  current_setting('transaction_read_only')::boolean AS read_only,
  pg_backend_pid() AS server_pid
