-- After "dragoman state migrate": a login for people and runners. It works, and can change neither tables nor charges.
create role translators login password 'change-me' in role dragoman_runner;
