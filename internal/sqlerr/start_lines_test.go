package sqlerr

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// startLines are errors at start that have no case of their own beside what their table says.
func startLines() []*StartError {
	why := errors.New("it is so")
	return []*StartError{
		{Code: CodeUsage, Problem: "serv is no command"},
		{Code: CodeUnknownSetting, Setting: "--lisen"},
		{Code: CodeMissing, Setting: "--backend"},
		{Code: CodeConfigFile, Setting: "--config", Problem: "cannot read c.toml", Err: why},
		{Code: CodeConflict, Setting: "--key"},
		{Code: CodeUnprotected, Setting: "--key"},
		{Code: CodeKeyFile, Setting: "--key", Err: why},
		{Code: CodePassphraseNone, Setting: "--key"},
		{Code: CodePassphraseOdd, Setting: "--key"},
		{Code: CodePassphraseFile, Setting: "--key-passphrase-file", Err: why},
		{Code: CodeKeyMade, Setting: "--out", Err: why},
		{Code: CodeKeyProject, Setting: "--key"},
		{Code: CodePasswordFile, Setting: "--service-password-file", Err: why},
		{Code: CodePasswordMode, Setting: "--service-password-file"},
		StartLedger(LedgerUnreachable, why),
		StartLedger(LedgerForm, why),
		StartLedger(LedgerUnexplained, why),
		StartLedger(LedgerAbsent, nil),
		StartLedger(LedgerOther, why),
		StartLedger(LedgerOlder, why),
		StartStateFile("/var/lib/tunic/state", why),
		StartLedger(LedgerFailed, why),
		StartLedger(LedgerGone, why),
		RotationLeft("2 tables are left"),
		RotationHolders(why),
		RotationUnderway(why),
		MigrationUnderway(),
		MigrationDamaged("shop.t: exchange: the table is damaged at the server"),
		DecryptRefused(why, "do that"),
		DecryptHindered("2 things hinder it"),
		DecryptNothing("shop.t"),
	}
}

const startLinesFile = "testdata/start"

// TestStartLines: each is the line that testdata/start has, with its exit status. Run with -rewrite to write it anew.
func TestStartLines(t *testing.T) {
	var got strings.Builder
	for _, e := range startLines() {
		fmt.Fprintf(&got, "%d %s\n", ExitStatus(e), e)
	}
	if *rewrite {
		if err := os.WriteFile(startLinesFile, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(startLinesFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("run go test ./internal/sqlerr -rewrite\n%s", diff)
	}
}

// TestEveryStartError: each code of an error at start has a case.
func TestEveryStartError(t *testing.T) {
	cases := map[Code]bool{}
	for _, c := range append(startCases(t), askCases(t)...) {
		cases[c.err.Code] = true
	}
	for _, e := range startLines() {
		cases[e.Code] = true
	}
	for _, e := range Entries() {
		if e.Code.Class() == Startup && !cases[e.Code] {
			t.Errorf("%s is in neither startCases, askCases nor startLines", e.Code)
		}
	}
}
