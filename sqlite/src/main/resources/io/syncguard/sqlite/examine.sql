-- Tells of the library and of the file.
--
-- Returns version; damage, the first that is found, or ok

SELECT sqlite_version() AS version, (SELECT quick_check FROM pragma_quick_check LIMIT 1) AS damage
