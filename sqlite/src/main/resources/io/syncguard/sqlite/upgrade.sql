-- Makes a file of format 1 one of format 2.

ALTER TABLE syncguard_secrets ADD COLUMN proof TEXT NOT NULL DEFAULT ''
