-- A role and a database for Scorer: sudo -u postgres psql --set ON_ERROR_STOP=1 --file postgresql.sql
-- The role has no password: the server's user `scorer` comes in by the socket, as Debian's pg_hba.conf has it.
CREATE ROLE scorer LOGIN;
CREATE DATABASE scorer OWNER scorer TEMPLATE template0 ENCODING 'UTF8';
REVOKE ALL ON DATABASE scorer FROM PUBLIC;
