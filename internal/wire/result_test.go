package wire_test

import (
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/wire"
)

func TestResultHeaderRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		caps := drawCaps(t, 0, wire.MariaDBCacheMetadata)
		m := wire.ResultHeader{Columns: rapid.IntRange(1, 1<<16).Draw(t, "columns"), MetadataFollows: true}
		if caps.Has(wire.MariaDBCacheMetadata) {
			m.MetadataFollows = rapid.Bool().Draw(t, "metadata follows")
		}
		payload := m.AppendHeader(nil, caps)
		decode := func(b []byte) error {
			_, err := wire.DecodeResultHeader(b, caps)
			return err
		}
		got, err := wire.DecodeResultHeader(payload, caps)
		if err != nil {
			t.Fatal(err)
		}
		same(t, m, got)
		refusesCuts(t, payload, len(payload), decode)
		if err := decode(append(payload, 1)); err == nil {
			t.Fatal("took a byte more than the message")
		}
	})
}

func TestResultHeaderRefuses(t *testing.T) {
	refuses(t, func(b []byte) error {
		_, err := wire.DecodeResultHeader(b, 0)
		return err
	},
		badMessage{"nothing", ""},
		badMessage{"no columns", "\x00"},
		badMessage{"a file request", "\xfb/etc/passwd"},
		badMessage{"an error", "\xff\x10\x04"},
		badMessage{"more columns than there can be", "\xfd\x01\x00\x01"},
		badMessage{"a number that wraps around", "\xfe\xff\xff\xff\xff\xff\xff\xff\xff"},
	)
}

func decodePrepareOK(b []byte) error {
	_, err := wire.DecodePrepareOK(b)
	return err
}

func TestPrepareOKRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := wire.PrepareOK{
			ID:      rapid.Uint32().Draw(t, "id"),
			Columns: rapid.Uint16().Draw(t, "columns"), Params: rapid.Uint16().Draw(t, "params"),
			Warnings: rapid.Uint16().Draw(t, "warnings"),
		}
		payload := m.AppendTo(nil)
		got, err := wire.DecodePrepareOK(payload)
		if err != nil {
			t.Fatal(err)
		}
		same(t, m, got)
		refusesCuts(t, payload, len(payload)-2, decodePrepareOK)
	})
}

func TestPrepareOKRefuses(t *testing.T) {
	refuses(t, decodePrepareOK,
		badMessage{"nothing", ""},
		badMessage{"another header", "\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"},
		badMessage{"half the warnings", "\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00"},
		badMessage{"a byte more", "\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"},
	)
	if m, err := wire.DecodePrepareOK([]byte("\x00\x07\x00\x00\x00\x01\x00\x02\x00\x00")); err != nil || m != (wire.PrepareOK{ID: 7, Columns: 1, Params: 2}) {
		t.Errorf("without warnings: %+v, %v", m, err)
	}
}
