package config

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is text that no formatting, log or encoder shows. Reveal is the only
// way to it, so that a search for Reveal finds every use.
//
// The text is behind a pointer because a verb that fmt does not know skips
// Format and prints the fields: it then shows an address.
type Secret struct{ text *string }

// redacted stands for a secret wherever one would be printed.
const redacted = "[secret]"

// NewSecret hides text.
func NewSecret(text string) Secret { return Secret{&text} }

// Reveal is the hidden text.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Empty reports whether there is no text.
func (s Secret) Empty() bool { return s.Reveal() == "" }

// Format implements [fmt.Formatter] for every verb, %#v and %x included.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// String implements [fmt.Stringer], for those who call it by hand.
func (s Secret) String() string { return redacted }

// MarshalText keeps JSON and TOML encoders from the text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue keeps slog from the text.
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }
