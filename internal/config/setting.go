package config

import "strings"

// Setting describes one setting to those who show it: --help and
// docs/config.md.
type Setting struct {
	// Key is the dotted key in the TOML file, "" when the file may not hold it.
	Key string
	// Flag is the flag of `tunic serve` without its dashes, "" when the
	// command line may not hold it.
	Flag string
	// Env is the environment variable.
	Env string
	// Group is the heading the setting belongs under.
	Group string
	// Value is the form of the value: HOST:PORT, or the words to choose from.
	Value string
	// Default is the text of the default, "" when there is none.
	Default string
	// Help is one sentence.
	Help string
	// More is what docs/config.md adds.
	More string
	// Reload is set for what SIGHUP reads again.
	Reload bool
	// Required is set for what has no default and must be given.
	Required bool
	// Bool is set for a setting whose flag needs no value.
	Bool bool
}

// setting is a line of the table in settings.go: its description and the field
// of a Config it sets.
type setting struct {
	Setting
	field func(*Config) target
}

// table is the settings with what follows from their names.
var table = complete(settings)

// complete derives variable names and the forms of values.
func complete(lines []setting) []setting {
	for i := range lines {
		s := &lines[i]
		if s.Env == "" {
			s.Env = envPrefix + strings.ToUpper(strings.ReplaceAll(s.Flag, "-", "_"))
		}
		target := s.field(&Config{})
		_, s.Bool = target.(boolTarget)
		s.Value = target.form()
	}
	return lines
}

// Settings lists all settings in the order they are to be shown.
func Settings() []Setting {
	list := make([]Setting, len(table))
	for i, s := range table {
		list[i] = s.Setting
	}
	return list
}

// Default is a Config in which everything has its default, and what must be
// given is missing.
func Default() *Config {
	c := new(Config)
	for _, s := range table {
		if s.Default == "" {
			continue
		}
		if err := s.field(c).set(s.Default); err != nil {
			panic("config: default of " + s.Flag + ": " + err.Error())
		}
	}
	return c
}
