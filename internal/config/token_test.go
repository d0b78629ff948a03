package config

import (
	"errors"
	"maps"
	"os"
	"testing"
)

// TestAdminToken: the token of the status is read from its file, which is closed to others, and is
// not too short.
func TestAdminToken(t *testing.T) {
	for _, c := range []struct {
		name, content string
		mode          os.FileMode
		want          string
		kind          Kind
	}{
		{name: "good", content: "0123456789abcdef\n", mode: 0o600, want: "0123456789abcdef"},
		{name: "short", content: "0123456789\n", mode: 0o600, kind: BadValue},
		{name: "two lines", content: "0123456789abcdef\n0123456789abcdef\n", mode: 0o600, kind: BadValue},
		{name: "open", content: "0123456789abcdef\n", mode: 0o644, kind: BadValue},
	} {
		t.Run(c.name, func(t *testing.T) {
			flags := maps.Clone(minimal())
			flags["admin"], flags["admin-token-file"] = "0.0.0.0:9307", writeFile(t, "token", c.content, c.mode)
			got, err := Load(Sources{Flags: flags, Environ: []string{passwordSet, "HOME=/home/op"}})
			mistake, wrong := errors.AsType[*Error](err)
			switch {
			case c.want == "" && (!wrong || mistake.Kind != c.kind):
				t.Errorf("%v, want a mistake of kind %d", err, c.kind)
			case c.want != "" && (err != nil || got.Admin.Token.Reveal() != c.want):
				t.Errorf("%v, %v", got, err)
			}
		})
	}
}
