package session

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// outcomeQuestions are what a client asks after an error, and what it is told.
var outcomeQuestions = []struct{ text, want string }{
	{"SHOW WARNINGS", "Error 1235 TUNIC-2001"},
	{"show /* all */ warnings;", "Error 1235 TUNIC-2001"},
	{"SHOW ERRORS", "Error 1235 TUNIC-2001"},
	{"SHOW COUNT(*) WARNINGS", "1"},
	{"SHOW COUNT(*) ERRORS", "1"},
	{"SHOW WARNINGS LIMIT 1", "Error 1235 TUNIC-2001"},
	{"SHOW WARNINGS LIMIT 0, 5", "Error 1235 TUNIC-2001"},
	{"SELECT @@session.error_count, @@warning_count AS w, ROW_COUNT()", "1 1 -1"}, // on MySQL the last one
}

// TestOutcomeOfARefusal: a client that asks after a refusal gets what it would
// get after an error of the server's: the same columns, status and numbers of
// rows, and tunic's error.
func TestOutcomeOfARefusal(t *testing.T) {
	for _, server := range sandboxtest.Available(t) {
		for _, caps := range []wire.Capability{wiretest.ClientCaps, wiretest.ClientCaps &^ wire.ClientDeprecateEOF} {
			account := wiretest.Client{User: "root", Password: "root", Database: "test", Caps: caps}
			direct, err := account.Dial(t.Context(), server.Addr)
			if err != nil {
				t.Fatal(err)
			}
			defer direct.Close()
			client, _, _ := startSession(t, protecting(t, server.Addr))
			through := wiretest.NewPeer(client)
			if err := account.Login(through); err != nil {
				t.Fatal(err)
			}
			for _, names := range []string{"utf8mb4", "latin1"} {
				for _, p := range []*wiretest.Peer{direct, through} {
					_, _ = p.Query("SET NAMES " + names)
					_, err = p.Query("SELECT a FROM patient") // it does not exist, which the server says and tunic does not ask
					if refusal(t, err) == 0 {
						t.Fatal("the statement did not fail")
					}
				}
				for _, q := range outcomeQuestions {
					sameButRows(t, direct, through, q.text, q.want)
				}
			}
		}
	}
}

// sameButRows runs a text on both and wants the same result, but for the row that
// it wants.
func sameButRows(t *testing.T, direct, through *wiretest.Peer, text, want string) {
	t.Helper()
	plain, err := direct.Query(text)
	if err != nil {
		t.Fatal(err)
	}
	got, err := through.Query(text)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	if fmt.Sprint(got[0].Status, got[0].OK, len(got[0].Rows)) != fmt.Sprint(plain[0].Status, plain[0].OK, len(plain[0].Rows)) {
		t.Errorf("%s: %+v, want %+v", text, got[0], plain[0])
	}
	if a, b := bytes.Join(got[0].Definitions, nil), bytes.Join(plain[0].Definitions, nil); !bytes.Equal(a, b) {
		t.Errorf("%s: columns\n%q, want\n%q", text, a, b)
	}
	rows, err := got[0].Text()
	if err != nil || !strings.HasPrefix(strings.Join(rows[0], " "), want) {
		t.Errorf("%s: %q, %v, want %s", text, rows, err, want)
	}
}

// TestOutcomeInOtherForms: a question that tunic does not answer itself is refused
// as long as the refusal is what it would ask about, and no longer.
func TestOutcomeInOtherForms(t *testing.T) {
	p := loggedIn(t, protecting(t, sandboxtest.MariaDB(t).Addr))
	for _, text := range []string{
		"SELECT @@warning_count, 1", "SELECT 1 + @@SESSION.`error_count`",
	} {
		_, err := p.Query("SELECT a FROM patient")
		refusal(t, err)
		for range 2 {
			if _, err := p.Query(text); refusal(t, err) != notSupported || !strings.Contains(err.Error(), "TUNIC-2003") {
				t.Errorf("%s: %v", text, err)
			}
		}
		if err := p.Command(append([]byte{byte(wire.ComStmtPrepare)}, text...)); err != nil {
			t.Fatal(err)
		}
		if _, err := p.ReadAnswer(wire.ComStmtPrepare, nil); refusal(t, err) != notSupported {
			t.Errorf("%s, prepared: %v", text, err)
		}
		if sets, err := p.Query("SHOW COUNT(*) ERRORS"); err != nil || string(sets[0].Rows[0]) != "\x011" {
			t.Errorf("after %s: %v", text, err)
		}
		for _, text := range []string{"SELECT 1 FROM (SELECT 1) error_count", text} {
			if _, err := p.Query(text); err != nil {
				t.Errorf("%s, once a statement has passed: %v", text, err)
			}
		}
	}
}

// TestOutcomePrepared: a question that was prepared before a refusal is about the refusal,
// and one that is too long to be kept is refused as long as it would be.
func TestOutcomePrepared(t *testing.T) {
	for _, server := range sandboxtest.Available(t) {
		p := loggedIn(t, protecting(t, server.Addr))
		for _, c := range []struct{ text, want string }{
			{"SELECT ROW_COUNT()", "18446744073709551615"}, // -1
			{"SELECT @@error_count", "1"},
			{"SELECT ROW_COUNT() /* " + strings.Repeat("x", forwardedBytesMax) + " */", "TUNIC-2003"},
			{"SELECT @@error_count /* " + strings.Repeat("x", forwardedBytesMax) + " */", "TUNIC-2003"},
		} {
			if server.Flavor == sandbox.MySQL && strings.Contains(c.text, "@@") {
				continue // it does not prepare them
			}
			if _, err := p.Query("SELECT 1"); err != nil {
				t.Fatal(err)
			}
			number, err := prepareStatement(p, c.text)
			if err != nil {
				t.Fatalf("%.30s: %v", c.text, err)
			}
			_, err = p.Query("SELECT a FROM patient")
			refusal(t, err)
			if got := strings.Join(toldExecuted(t, p, c.text, number, 0), " "); !strings.Contains(got, c.want) {
				t.Errorf("%.30s: %s, want %s", c.text, got, c.want)
			}
			if _, err := p.Query("SELECT 1 FROM (SELECT 1) d"); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(toldExecuted(t, p, c.text, number, 0), " "); !strings.Contains(got, "0") || strings.Contains(got, "TUNIC") {
				t.Errorf("%.30s, once a statement has passed: %s", c.text, got)
			}
		}
	}
}

// TestOutcomeOfRowsBesideWarnings: where the server is asked for warnings, to know whether a
// statement has left those of a refusal, the count of its rows is nobody's any more.
func TestOutcomeOfRowsBesideWarnings(t *testing.T) {
	for _, server := range sandboxtest.Available(t) {
		p := loggedIn(t, protecting(t, server.Addr))
		for _, text := range []string{"DROP TABLE IF EXISTS counted", "CREATE TABLE counted (a INT)", "SELECT a FROM patient", "INSERT INTO counted VALUES (1), (2), (3)"} {
			if _, err := p.Query(text); err != nil && refusal(t, err) != notSupported {
				t.Fatalf("%s: %v", text, err)
			}
		}
		sets, err := p.Query("SELECT @@warning_count, ROW_COUNT()")
		if err != nil {
			if refusal(t, err) != notSupported {
				t.Error(err)
			}
			continue
		}
		if rows, err := sets[0].Text(); err != nil || rows[0][1] != "3" {
			t.Errorf("%q, %v, want 3 rows", rows, err)
		}
	}
}
