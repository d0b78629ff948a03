package server

import (
	"testing"
	"time"

	"tunic/internal/session"
	"tunic/internal/waittest"
	"tunic/internal/wire/wiretest"
)

// TestSilentFiles: a client that goes silent while it sends a file, between two
// packets or inside one, is let go: by the idle timeout, or when the server has
// given up on it, which says nothing then.
func TestSilentFiles(t *testing.T) {
	database := mariaDB(t)
	run(t, app(t, database.Addr), "CREATE OR REPLACE TABLE silentfiles (a INT)")
	for _, c := range []struct {
		name string
		idle time.Duration
		set  string
		sent []byte
		want uint16
	}{
		{"before the file", 100 * time.Millisecond, "DO 0", nil, 4031},
		{"between packets", 100 * time.Millisecond, "DO 0", []byte("\x02\x00\x00\x021\n"), 4031},
		{"inside a packet", 100 * time.Millisecond, "DO 0", []byte("\x64\x00\x00\x021\n"), 4031},
		{"longer than the server waits", time.Hour, "SET net_read_timeout = 1", []byte("\x02\x00\x00\x021\n"), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := proxySettings(t, database.Addr)
			cfg.Limits.IdleTimeout = c.idle
			proxy, addr := startProxy(t, cfg)
			p := app(t, addr)
			run(t, p, c.set)
			if err := p.Command([]byte("\x03LOAD DATA LOCAL INFILE 'x' INTO TABLE silentfiles")); err != nil {
				t.Fatal(err)
			}
			if err := p.Play(wiretest.Receive, wiretest.SendRaw(c.sent)); err != nil {
				t.Fatal(err)
			}
			if number, _ := lastWord(t, p); number != c.want {
				t.Errorf("last word: error %d, want %d", number, c.want)
			}
			waittest.Until(t, "nobody sends a file", func() bool { return phases(proxy)[session.PhaseFile] == 0 })
		})
	}
}
