package secret

import (
	"fmt"
	"io"
	"log/slog"
)

// redacted stands for a secret wherever one would be shown.
const redacted = "[secret]"

// Format implements [fmt.Formatter] for every verb, %#v and %x included.
func (b Bytes) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// String implements [fmt.Stringer], for those who call it by hand.
func (b Bytes) String() string { return redacted }

// GoString implements [fmt.GoStringer], for those who call it by hand.
func (b Bytes) GoString() string { return redacted }

// LogValue keeps slog from the content.
func (b Bytes) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText keeps encoders of text from the content.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// MarshalJSON keeps encoders of JSON from the content.
func (b Bytes) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }
