package main

import (
	"cmp"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"tunic/internal/config"
)

// settingFlags makes a flag of every setting that may be one and that a command has, from
// the table of the room config, so that nothing is described here again. Kong reads
// flags from the fields of a struct; this struct is made at run time.
func settingFlags(has func(config.Setting) bool) kong.Plugins {
	var fields []reflect.StructField
	for _, s := range config.Settings() {
		if s.Flag == "" || !has(s) {
			continue
		}
		of := reflect.TypeFor[string]()
		if s.Bool {
			of = reflect.TypeFor[bool]()
		}
		fields = append(fields, reflect.StructField{
			Name: "Setting" + strconv.Itoa(len(fields)), Type: of, Tag: settingTag(s),
		})
	}
	return kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}
}

// servingSettings are the settings of the tunic that serves, for a command that asks it: those of a file, or of the one
// that TUNIC_CONFIG names; nil without either.
func servingSettings(file string) (*config.Config, error) {
	if cmp.Or(file, os.Getenv("TUNIC_CONFIG")) == "" {
		return nil, nil //nolint:nilnil // there are none
	}
	cfg, err := config.LoadAddresses(config.Sources{Environ: os.Environ(), File: file})
	if err != nil {
		return nil, configError(err)
	}
	return cfg, nil
}

// everySetting is of the command that serves.
func everySetting(config.Setting) bool { return true }

// ofDatabase is of commands that work with what is stored: the settings of the database
// server, the service account, the key, the project and the log.
func ofDatabase(s config.Setting) bool {
	if s.Key == "project.id" {
		return true
	}
	switch group, _, _ := strings.Cut(s.Key, "."); group {
	case "backend", "service", "key", "key_passphrase_file", "log":
		return true
	}
	return false
}

// ofDatabaseAndPolicy is of commands that decide which columns are protected.
func ofDatabaseAndPolicy(s config.Setting) bool {
	return ofDatabase(s) || s.Key == "policy.default" || s.Key == "policy.ceiling" || s.Key == "policy.families"
}

// ofReport is of the command that says what all of them come to.
func ofReport(s config.Setting) bool {
	group, _, _ := strings.Cut(s.Key, ".")
	return ofDatabase(s) || s.Key == "listen" || group == "tls" || group == "policy" || group == "project" || group == "clients"
}

// settingTag describes a flag to kong. The default is not given to kong: config
// fills it in, and checks it like any value.
func settingTag(s config.Setting) reflect.StructTag {
	tag := fmt.Sprintf(`name:%q group:%q help:%q`, s.Flag, s.Group+":", settingHelp(s))
	if s.Bool {
		return reflect.StructTag(tag + ` negatable:""`)
	}
	form, _, _ := strings.Cut(s.Value, "|")
	if isChoice(s) {
		form = "WORD"
	}
	return reflect.StructTag(tag + fmt.Sprintf(` placeholder:%q`, form))
}

// settingHelp is the sentence of a setting with what else it may be, and its
// default.
func settingHelp(s config.Setting) string {
	help := strings.TrimSuffix(s.Help, ".")
	switch {
	case isChoice(s):
		help += ": " + strings.ReplaceAll(s.Value, "|", ", ")
	case !s.Bool && strings.Contains(s.Value, "|"):
		help += ": " + strings.ReplaceAll(s.Value, "|", " or ")
	}
	switch {
	case s.Required:
		help += " (required)"
	case s.Default != "" && !s.Bool:
		help += " (default " + s.Default + ")"
	case s.Default == "true":
		help += " (on by default)"
	}
	return help + "."
}

// isChoice reports whether the value is one of a list of words.
func isChoice(s config.Setting) bool {
	return !s.Bool && strings.Contains(s.Value, "|") && strings.ToLower(s.Value) == s.Value
}

// givenFlags are the settings that the command line gave, as text.
func givenFlags(command *kong.Context) map[string]string {
	given := map[string]string{}
	for _, p := range command.Path {
		if p.Flag == nil {
			continue
		}
		switch value := p.Flag.Target; value.Kind() {
		case reflect.Bool:
			given[p.Flag.Name] = strconv.FormatBool(value.Bool())
		default:
			given[p.Flag.Name] = value.String()
		}
	}
	return given
}
