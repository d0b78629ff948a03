package config

import (
	"strings"
	"unicode"
)

// Kind is what sort of mistake an Error is.
type Kind uint8

// The kinds.
const (
	// UnknownSetting is a name that belongs to no setting.
	UnknownSetting Kind = iota + 1
	// BadValue is a value of the wrong form or out of range.
	BadValue
	// Missing is a required setting that is not set.
	Missing
	// BadFile is a configuration file that cannot be read as TOML.
	BadFile
	// Conflict is two settings that contradict each other.
	Conflict
	// Unprotected is a policy that protects, without a key file.
	Unprotected
	// BadPasswordFile is a password file that cannot be used; OpenPasswordFile
	// one that others may use.
	BadPasswordFile
	OpenPasswordFile
)

// Error is a mistake of the operator in one setting.
type Error struct {
	Kind Kind
	// Setting is the setting as it was written: --drain, TUNIC_DRAIN, or
	// limits.drain and the file.
	Setting string
	// Problem is what is wrong, Fix what to do ("" when the problem says it).
	Problem, Fix string
}

// Error is one line without a password or a key in it. Control characters of
// keys, paths and values of the operator's do not reach the terminal.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Setting != "" {
		b.WriteString(e.Setting + ": ")
	}
	b.WriteString(e.Problem)
	if e.Fix != "" {
		b.WriteString("; " + e.Fix)
	}
	return strings.Map(visible, b.String())
}

// visible replaces what does not print by a question mark.
func visible(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '?'
}
