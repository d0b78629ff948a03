// Package config turns what an operator wrote into one checked Config.
//
// A setting may be written in three places: a flag of `tunic serve`, a TUNIC_*
// environment variable, a key of the TOML file that --config names. A flag
// overrides the environment, which overrides the file, which overrides the
// default. All four are described once, in the table in settings.go; flags,
// variables, keys, checks and docs/config.md are made from it, so they cannot
// disagree, and a new setting is a new line of the table and a field of Config.
// The line of one that may change while tunic runs has Reload; merge in reload.go
// takes it over.
//
// Nothing is ignored: an unknown key, a TUNIC_* variable that no setting owns,
// a value out of range, a password file others may read are all errors. An
// error is one line that names the setting and where it was written, says what
// is wrong and what to do; it never holds the password or a key.
//
// The package knows no other room. Reading the configuration opens the
// configuration file, the password file and the file of the admin token, and
// nothing else: no key, no socket, no database.
package config
