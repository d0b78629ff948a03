package sandbox

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTunicServes(t *testing.T) {
	t.Setenv("TUNIC_LOG_LEVEL", "nonsense") // a developer's own, which must not matter
	s, err := StartMariaDB(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	for _, backend := range []string{s.Addr, "unix:" + s.Socket} {
		p, err := StartTunic(t.Context(), TunicOptions{Backend: backend})
		if err != nil {
			t.Fatal(err)
		}
		if got := query(t, p.DSN(AppUser, AppPassword, "test"), "SELECT 41+1"); got != "42" {
			t.Errorf("answer through tunic: %s", got)
		}
		if _, err := os.Stat(filepath.Join(p.Dir, "tls", "server-key.pem")); err != nil {
			t.Error("the self-signed pair is not in the sandbox: ", err)
		}
		answer, err := http.Get("http://" + p.AdminAddr + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("healthz: %s", answer.Status)
		}
		http.DefaultClient.CloseIdleConnections()
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
		if err := p.Err(); err != nil {
			t.Errorf("after SIGTERM tunic ended with %v", err)
		}
	}
}

// What the race detector writes is lost with the folder unless Stop hands it over.
func TestStopReportsRaces(t *testing.T) {
	s, err := StartMariaDB(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	p, err := StartTunic(t.Context(), TunicOptions{Backend: s.Addr})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.Dir, raceLog+".1"), []byte("WARNING: found one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(); err == nil || !strings.Contains(err.Error(), "found one") {
		t.Errorf("error %v, want the detector's words", err)
	}
}

// The text of tunic's own complaint must reach whoever tried to start it.
func TestTunicThatCannotStartIsExplained(t *testing.T) {
	_, err := StartTunic(t.Context(), TunicOptions{Backend: "127.0.0.1:1", Args: []string{"--no-such-flag"}})
	var failed *StartError
	if !errors.As(err, &failed) || !strings.Contains(failed.Output, "no-such-flag") {
		t.Errorf("error %v, want tunic's own words about the flag", err)
	}
}
