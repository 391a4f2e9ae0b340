-- After "dragoman state migrate". psql puts the password in; running it again changes the password.
select 'create role daemons login in role dragoman_runner' where not exists (select from pg_roles where rolname = 'daemons') \gexec
alter role daemons password :'password';
