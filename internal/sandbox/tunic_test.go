package sandbox

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestTunicServes(t *testing.T) {
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

// The text of tunic's own complaint must reach whoever tried to start it.
func TestTunicThatCannotStartIsExplained(t *testing.T) {
	_, err := StartTunic(t.Context(), TunicOptions{Backend: "127.0.0.1:1", Args: []string{"--no-such-flag"}})
	var failed *StartError
	if !errors.As(err, &failed) || !strings.Contains(failed.Output, "no-such-flag") {
		t.Errorf("error %v, want tunic's own words about the flag", err)
	}
}
