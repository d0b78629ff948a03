package wire_test

import (
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/wire"
)

func drawOK(t *rapid.T, caps wire.Capability) wire.OK {
	m := wire.OK{
		EndOfRows:    rapid.Bool().Draw(t, "end of rows"),
		AffectedRows: rapid.Uint64().Draw(t, "affected"),
		LastInsertID: rapid.Uint64().Draw(t, "last insert id"),
		Status:       drawStatus(t),
		Warnings:     rapid.Uint16().Draw(t, "warnings"),
		Info:         drawBytes(t, "info"),
	}
	if caps.Has(wire.ClientSessionTrack) && m.Status&wire.StatusSessionState != 0 {
		m.SessionState = drawBytes(t, "session state")
	}
	return m
}

func TestOKRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		caps := drawCaps(t, 0, wire.ClientSessionTrack|wire.ClientDeprecateEOF)
		m := drawOK(t, caps)
		payload := m.AppendOK(nil, caps)
		decode := func(b []byte) error {
			_, err := wire.DecodeOK(b, caps)
			return err
		}
		got, err := wire.DecodeOK(payload, caps)
		if err != nil {
			t.Fatal(err)
		}
		same(t, m, got)
		counters := wire.OK{AffectedRows: m.AffectedRows, LastInsertID: m.LastInsertID}.AppendOK(nil, 0)
		refusesCuts(t, payload, len(counters), decode)
		if err := decode(append(payload, 0)); caps.Has(wire.ClientSessionTrack) && len(payload) > len(counters) && err == nil {
			t.Fatal("took a byte more than the message")
		}
	})
}

// Servers that keep to the manual send the info without its length where session
// tracking was not agreed on.
func TestOKInfoAsTheManualHasIt(t *testing.T) {
	head := "\x00\x01\x00\x02\x00\x00\x00"
	for _, c := range []struct{ tail, info string }{
		{"", ""},
		{"\x00", ""},
		{"\x05hello", "hello"},
		{"hello", "hello"},
		{"(Rows matched: 1  Changed: 1  Warnings: 0", "Rows matched: 1  Changed: 1  Warnings: 0"},
		{"\xfbhello", "\xfbhello"},
		{"\x06hello", "\x06hello"},
		{"\x04hello", "\x04hello"},
	} {
		m, err := wire.DecodeOK([]byte(head+c.tail), 0)
		if err != nil || string(m.Info) != c.info {
			t.Errorf("%q: info %q, error %v, want %q", c.tail, m.Info, err, c.info)
		}
	}
}

func TestOKRefuses(t *testing.T) {
	refuses(t, func(b []byte) error {
		_, err := wire.DecodeOK(b, wire.ClientSessionTrack)
		return err
	},
		badMessage{"nothing", ""},
		badMessage{"another header", "\x01\x00\x00\x00\x00\x00\x00"},
		badMessage{"a count that is NULL", "\x00\xfb\x00\x00\x00\x00\x00\x00"},
		badMessage{"no warnings", "\x00\x00\x00\x02\x00"},
		badMessage{"an info longer than the packet", "\x00\x00\x00\x02\x00\x00\x00\x09abc"},
		badMessage{"bytes behind the info", "\x00\x00\x00\x02\x00\x00\x00\x03abcd"},
		badMessage{"a state longer than the packet", "\x00\x00\x00\x02\x40\x00\x00\x00\x09abc"},
		badMessage{"bytes behind the state", "\x00\x00\x00\x02\x40\x00\x00\x00\x03abcd"},
	)
}

func decodeEOF(b []byte) error {
	_, err := wire.DecodeEOF(b)
	return err
}

func TestEOFRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := wire.EOF{Warnings: rapid.Uint16().Draw(t, "warnings"), Status: drawStatus(t)}
		payload := m.AppendTo(nil)
		got, err := wire.DecodeEOF(payload)
		if err != nil {
			t.Fatal(err)
		}
		same(t, m, got)
		refusesCuts(t, payload, len(payload), decodeEOF)
	})
}

func TestEOFRefuses(t *testing.T) {
	refuses(t, decodeEOF,
		badMessage{"nothing", ""},
		badMessage{"an OK", "\x00\x00\x00\x02\x00"},
		badMessage{"a byte more", "\xfe\x00\x00\x02\x00\x00"},
		badMessage{"the form of before 4.1", "\xfe"},
	)
}

func decodeErr(b []byte) error {
	_, err := wire.DecodeErr(b)
	return err
}

func TestErrRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := wire.Err{
			Number:  rapid.Uint16().Draw(t, "number"),
			State:   rapid.SampledFrom([]string{"", "HY000", "42S02", "#####"}).Draw(t, "state"),
			Message: drawBytes(t, "message"),
		}
		if m.State == "" && len(m.Message) > 0 && m.Message[0] == '#' {
			t.Skip("a message that starts like a state needs one before it")
		}
		payload := m.AppendTo(nil)
		got, err := wire.DecodeErr(payload)
		if err != nil {
			t.Fatal(err)
		}
		same(t, m, got)
		refusesCuts(t, payload, 3, decodeErr)
	})
}

func TestErrForms(t *testing.T) {
	for _, c := range []struct{ payload, state, message string }{
		{"\xff\x10\x04Too many connections", "", "Too many connections"},
		{"\xff\x10\x04#08004Too many connections", "08004", "Too many connections"},
		{"\xff\x10\x04#08004", "08004", ""},
		{"\xff\x10\x04#0800", "", "#0800"},
		{"\xff\x10\x04", "", ""},
	} {
		m, err := wire.DecodeErr([]byte(c.payload))
		if err != nil || m.Number != 1040 || m.State != c.state || string(m.Message) != c.message {
			t.Errorf("%q: %+v, error %v", c.payload, m, err)
		}
	}
	refuses(t, decodeErr, badMessage{"nothing", ""}, badMessage{"half a number", "\xff\x10"}, badMessage{"an OK", "\x00\x10\x04"})
}
