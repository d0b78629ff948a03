package difftest

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// faultScript does a little of everything, so that each fault has its victim.
const faultScript = `
CREATE TABLE f (id INT PRIMARY KEY, s VARCHAR(20));

INSERT INTO f VALUES (1, 'canary'), (2, 'other'), (3, 'third');

-- ordered
SELECT id, s FROM f ORDER BY id;

-- params int:1
SELECT s FROM f WHERE id = ?;

INSERT IGNORE INTO f VALUES (1, 'twice');

BEGIN;

ROLLBACK;

-- multi
SELECT 'first' AS a; SELECT 'second' AS b;

-- error 1146
SELECT * FROM nothere;

USE difftest;

TRUNCATE TABLE f;
`

// isOK tells an OK that is no end of rows.
func isOK(p []byte) bool { return len(p) >= 7 && p[0] == headerOK }

func contains(text string) func([]byte) bool {
	return func(p []byte) bool { return bytes.Contains(p, []byte(text)) }
}

func replace(old, instead string) func([]byte) {
	return func(p []byte) {
		before, _, _ := bytes.Cut(p, []byte(old))
		copy(p[len(before):], instead)
	}
}

// isDefinition tells the definition of a column.
func isDefinition(p []byte) bool { return bytes.HasPrefix(p, []byte("\x03def")) }

// definitionTail is the fixed part at the end of a definition: its length byte,
// character set (2), length (4), type (1), flags (2), decimals (1), filler (2).
func definitionTail(p []byte) []byte { return p[len(p)-13:] }

// warned tells an OK with warnings.
func warned(p []byte) bool {
	if !isOK(p) || len(p) > 7 { // one with more is the answer to a prepare
		return false
	}
	_, warnings := counters(p)
	return binary.LittleEndian.Uint16(warnings) == 1
}

// begun tells the OK of BEGIN.
func begun(p []byte) bool {
	if !isOK(p) {
		return false
	}
	status, _ := counters(p)
	return status[0]&1 == 1
}

// moreFollows tells the end of a result's rows that announces another result.
func moreFollows(p []byte) bool {
	return len(p) >= 7 && len(p) < 20 && p[0] == headerEOF && p[3]&8 == 8
}

// faults are lies that a proxy could tell by mistake.
var faults = []fault{
	{name: "a byte of a text row", field: ".row.", match: contains("\x011\x06canary"), change: replace("canary", "cAnary")},
	{name: "a byte of a binary row", field: "rows-only-here", match: contains("\x00\x00\x06canary"), change: replace("canary", "canarY")},
	{name: "a row too few", field: ".rows", match: contains("\x012\x05other"), drop: true},
	{name: "a warning too many", field: ".warnings", match: warned, change: func(p []byte) { p[5]++ }},
	{name: "no warnings", field: "replies", match: warned, change: func(p []byte) { clear(p[5:7]) }}, // no SHOW WARNINGS then
	{name: "a transaction flag", field: ".status", match: begun, change: func(p []byte) { flip(p[3:5], 1) }},
	{name: "an affected-rows count", field: ".affected", match: contains("\x00\x03\x00"), change: func(p []byte) { p[1]-- }},
	{name: "a column's length", field: ".length", match: isDefinition, change: func(p []byte) { definitionTail(p)[3] ^= 1 }},
	{name: "a column's character set", field: ".charset", match: isDefinition, change: func(p []byte) { definitionTail(p)[1] ^= 1 }},
	{name: "a column's type", field: ".type", match: contains("\x01f\x01f\x01s\x01s"), change: func(p []byte) { definitionTail(p)[7] ^= 3 }},
	{name: "a column's flags", field: ".flags", match: contains("\x01f\x01f\x02id\x02id"), change: func(p []byte) { flip(definitionTail(p)[8:10], 1) }},
	{name: "a column's name", field: ".name", match: contains("\x01f\x01f\x01s\x01s"), change: replace("\x01s\x01s", "\x01t\x01s")},
	{name: "a byte nobody decodes", field: ".packet.", match: isDefinition, change: func(p []byte) { definitionTail(p)[12] ^= 1 }},
	{name: "an error's number", field: ".code", match: contains("#42S02"), change: func(p []byte) { flip(p[1:3], 1) }},
	{name: "an SQL state", field: ".state", match: contains("#42S02"), change: replace("#42S02", "#42000")},
	{name: "an error's text", field: ".message", match: contains("#42S02"), change: replace("nothere", "nowhere")},
	{name: "a tracked schema", field: ".track.", match: contains("\x01\x09\x08difftest"), change: replace("difftest", "difftesu")},
	{name: "a whole result", field: ".results", match: moreFollows, change: func(p []byte) { p[3] &^= 8 }, rest: true},
	{
		name: "success without effect", field: ".rows", match: contains("TRUNCATE TABLE f"),
		sent: replace("TRUNCATE TABLE f", "DO 0            "),
	},
}

// TestHarnessCanFail shows that the oracle sees: relays that change one thing each
// between a server and its client are caught at it.
func TestHarnessCanFail(t *testing.T) {
	p := startPair(t, "mariadb")
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			relay, report := runThrough(t, p, f)
			if relay.hits.Load() == 0 {
				t.Fatal("the fault did not happen")
			}
			if !names(report, f.field) {
				t.Errorf("no difference of %s among %d failures: %v", f.field, len(report.Failures), report.Failures)
			}
		})
	}
}

// TestRelayWithoutFaultAgrees shows that it is the faults that are found.
func TestRelayWithoutFaultAgrees(t *testing.T) {
	_, report := runThrough(t, startPair(t, "mariadb"), fault{})
	for _, f := range report.Failures {
		t.Errorf("%s", f)
	}
	if report.Comparisons == 0 {
		t.Error("nothing was compared")
	}
}

func runThrough(t *testing.T, p *pair, f fault) (*relay, *Report) {
	t.Helper()
	script, err := ParseScript("fault.test", faultScript)
	if err != nil {
		t.Fatal(err)
	}
	relay := startRelay(t, p.servers[1].Addr, f)
	proxied := Peer{Target: Target{Name: "relay", Addr: relay.listener.Addr().String()}, Server: p.servers[1]}
	r := &Runner{Flavor: "mariadb", Direct: p.direct(0), Proxied: proxied}
	return relay, run(t, r, []*Script{script}, []*Config{findConfig("text")})
}

// names reports whether a failure is about the field.
func names(report *Report, field string) bool {
	for _, f := range report.Failures {
		for _, d := range f.Differences {
			if strings.Contains("."+d.Field+".", field+".") || strings.Contains(d.Field, field) {
				return true
			}
		}
	}
	return false
}

// TestCorpusMustKeepItsPromises shows that a statement that fails on the plain
// server against its corpus is a failure, though both sides agree, and so is one
// that was to fail and does not.
func TestCorpusMustKeepItsPromises(t *testing.T) {
	p := startPair(t, "mariadb")
	for _, text := range []string{"SELECT * FROM nothere;", "-- error 1146\nSELECT 1;", "-- dies\nSELECT 1;"} {
		script, err := ParseScript("promise.test", text)
		if err != nil {
			t.Fatal(err)
		}
		r := &Runner{Flavor: "mariadb", Direct: p.direct(0), Proxied: p.direct(1)}
		report := run(t, r, []*Script{script}, []*Config{findConfig("text")})
		if len(report.Failures) != 1 || report.Failures[0].Problem == "" {
			t.Errorf("%q: %v", text, report.Failures)
		}
	}
}
