package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// TestSecretNeverPrints tries every way a Config could end up in a log.
func TestSecretNeverPrints(t *testing.T) {
	const password = "hunter2"
	c := Default()
	c.Service.Password = NewSecret(password)

	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%08.3f", "%w"} {
		fmt.Fprintf(&out, verb+"\n", c)
		fmt.Fprintf(&out, verb+"\n", c.Service)
		fmt.Fprintf(&out, verb+"\n", c.Service.Password)
		fmt.Fprintf(&out, verb+"\n", &c.Service.Password)
	}
	fmt.Fprintln(&out, c.Service.Password.String())
	must(t, json.NewEncoder(&out).Encode(c))
	must(t, toml.NewEncoder(&out).Encode(c))
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(h).Info("x", "config", c, "service", c.Service, "password", c.Service.Password)
	}

	text := out.String()
	for _, form := range []string{password, fmt.Sprintf("%x", password), fmt.Sprintf("%X", password), fmt.Sprint([]byte(password))} {
		if strings.Contains(text, form) {
			t.Errorf("%q was printed", form)
		}
	}
	if !strings.Contains(text, redacted) {
		t.Error("nothing was printed at all")
	}
	if c.Service.Password.Reveal() != password {
		t.Error("Reveal does not reveal")
	}
}
