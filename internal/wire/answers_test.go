package wire_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"

	"tunic/internal/wire"
)

// commandNamed finds a command by its name in the protocol.
func commandNamed(t testing.TB, name string) wire.Command {
	t.Helper()
	for c := range 256 {
		if wire.Command(c).String() == name {
			return wire.Command(c)
		}
	}
	t.Fatalf("no command is called %q", name)
	return 0
}

// capabilitiesNamed reads what Capability.String writes.
func capabilitiesNamed(t testing.TB, text string) wire.Capability {
	t.Helper()
	var caps wire.Capability
	for name := range strings.SplitSeq(strings.TrimSpace(text), "|") {
		one := wire.Capability(0)
		for bit := range 64 {
			if flag := wire.Capability(1) << bit; flag.String() == name {
				one = flag
			}
		}
		if one == 0 {
			t.Fatalf("no capability is called %q", name)
		}
		caps |= one
	}
	return caps
}

// unhex reads hexadecimal with blanks and line breaks anywhere between bytes.
func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestRecordedAnswers follows what real servers have answered (see TestRecord)
// to where their own protocol ends it, however it is cut, with the bytes of
// something else behind it.
func TestRecordedAnswers(t *testing.T) {
	datadriven.Walk(t, "testdata/answers", func(t *testing.T, path string) {
		var caps wire.Capability
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "capabilities" {
				caps = capabilitiesNamed(t, d.Input)
				return ""
			}
			var name string
			d.ScanArgs(t, "command", &name)
			caps := caps
			if d.HasArg("cursor") {
				caps |= asksCursor
			}
			return recordedAnswer(t, commandNamed(t, name), caps, unhex(t, d.Input))
		})
	})
}

func recordedAnswer(t *testing.T, command wire.Command, caps wire.Capability, answer []byte) string {
	got := sameHoweverCut(t, command, caps, answer)
	if !got.Done || got.Consumed != len(answer) {
		t.Errorf("followed %d of %d bytes, done %t", got.Consumed, len(answer), got.Done)
	}
	behind := append(answer[:len(answer):len(answer)], 7, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0)
	if diff := cmp.Diff(got, sameHoweverCut(t, command, caps, behind)); diff != "" {
		t.Errorf("what comes behind the answer changes it:\n%s", diff)
	}
	if diff := cmp.Diff(got, followSteps(command, caps, behind, true)); diff != "" {
		t.Errorf("Scan and Step differ:\n%s", diff)
	}
	for n := range answer {
		if o := follow(command, caps, answer[:n], whole); o.Done || o.Error != "" {
			t.Errorf("%d of %d bytes: %s", n, len(answer), o)
		}
	}
	return fmt.Sprintln(got)
}
