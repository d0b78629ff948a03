package wire_test

import (
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/wire"
)

func drawColumn(t *rapid.T, caps wire.Capability) wire.ColumnDefinition {
	m := wire.ColumnDefinition{
		Catalog: drawBytes(t, "catalog"), Schema: drawBytes(t, "schema"), Table: drawBytes(t, "table"),
		OrgTable: drawBytes(t, "original table"), Name: drawBytes(t, "name"), OrgName: drawBytes(t, "original name"),
		Charset: rapid.Uint16().Draw(t, "charset"), Length: rapid.Uint32().Draw(t, "length"),
		Type: wire.Type(rapid.Byte().Draw(t, "type")), Flags: rapid.Uint16().Draw(t, "flags"),
		Decimals: rapid.Byte().Draw(t, "decimals"),
	}
	if caps.Has(wire.MariaDBExtendedMetadata) {
		m.Extended = drawBytes(t, "extended")
	}
	if rapid.Bool().Draw(t, "has a default") {
		m.Default = wire.AppendLenencBytes(nil, drawBytes(t, "default"))
	}
	return m
}

func TestColumnRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		caps := drawCaps(t, 0, wire.MariaDBExtendedMetadata)
		m := drawColumn(t, caps)
		payload := m.AppendColumn(nil, caps)
		got, err := wire.DecodeColumn(payload, caps)
		if err != nil {
			t.Fatal(err)
		}
		same(t, m, got)
		refusesCuts(t, payload, len(payload)-len(m.Default), func(b []byte) error {
			_, err := wire.DecodeColumn(b, caps)
			return err
		})
	})
}

func TestColumnRefuses(t *testing.T) {
	names := "\x03def\x00\x00\x00\x01a\x00"
	refuses(t, func(b []byte) error {
		_, err := wire.DecodeColumn(b, 0)
		return err
	},
		badMessage{"nothing", ""},
		badMessage{"a name of length NULL", "\x03def\xfb\x00\x00\x01a\x00"},
		badMessage{"a name longer than the packet", "\x03def\xfe\xff\xff\xff\xff\xff\xff\xff\x7f"},
		badMessage{"fixed fields of another length", names + "\x0d" + "\x2d\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00"},
		badMessage{"fixed fields cut short", names + "\x0c" + "\x2d\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00"},
	)
}
