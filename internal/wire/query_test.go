package wire_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/wire"
)

// binaryForm is a value of a type in the binary protocol.
type binaryForm struct {
	kind   wire.Type
	prefix string // the value's length, where the type has one
	value  string
}

// binaryForms are types with a value of each.
var binaryForms = []binaryForm{
	{wire.TypeTiny, "", "\x01"},
	{wire.TypeShort, "", "\x01\x02"},
	{wire.TypeYear, "", "\xe8\x07"},
	{wire.TypeLong, "", "\x01\x02\x03\x04"},
	{wire.TypeInt24, "", "\x01\x02\x03\x00"},
	{wire.TypeFloat, "", "\x00\x00\x80\x3f"},
	{wire.TypeLongLong, "", "\x01\x02\x03\x04\x05\x06\x07\x08"},
	{wire.TypeDouble, "", "\x00\x00\x00\x00\x00\x00\xf0\x3f"},
	{wire.TypeDate, "\x04", "\xe8\x07\x02\x1d"},
	{wire.TypeDatetime, "\x0b", "\xe8\x07\x02\x1d\x0c\x22\x38\x01\x02\x03\x00"},
	{wire.TypeTimestamp, "\x07", "\xe8\x07\x02\x1d\x0c\x22\x38"},
	{wire.TypeTime, "\x08", "\x00\x01\x00\x00\x00\x0c\x22\x38"},
	{wire.TypeTime, "\x00", ""},
	{wire.TypeNull, "", ""},
	{wire.TypeDecimal, "\x03", "1.5"},
	{wire.TypeNewDecimal, "\x03", "1.5"},
	{wire.TypeVarchar, "\x02", "ab"},
	{wire.TypeVarString, "\x00", ""},
	{wire.TypeString, "\x02", "ab"},
	{wire.TypeBlob, "\xfc\x03\x00", "abc"},
	{wire.TypeTinyBlob, "\x01", "a"},
	{wire.TypeMediumBlob, "\x01", "a"},
	{wire.TypeLongBlob, "\x01", "a"},
	{wire.TypeJSON, "\x02", "{}"},
	{wire.TypeBit, "\x01", "\x05"},
	{wire.TypeEnum, "\x01", "a"},
	{wire.TypeSet, "\x01", "a"},
	{wire.TypeGeometry, "\x01", "a"},
	{wire.TypeVector, "\x04", "\x00\x00\x80\x3f"},
}

// attributeForms are the forms that query attributes may have.
var attributeForms = slices.DeleteFunc(slices.Clone(binaryForms), func(f binaryForm) bool {
	switch f.kind {
	case wire.TypeTiny, wire.TypeShort, wire.TypeLong, wire.TypeLongLong, wire.TypeFloat, wire.TypeDouble, wire.TypeString,
		wire.TypeVarString, wire.TypeVarchar, wire.TypeBlob, wire.TypeNewDecimal, wire.TypeDate, wire.TypeDatetime, wire.TypeTimestamp, wire.TypeTime:
		return false
	default:
		return true
	}
})

// drawAttributes draws query attributes as a client sends them, from their
// number to the last value.
func drawAttributes(t *rapid.T) []byte {
	count := rapid.OneOf(rapid.IntRange(0, 3), rapid.SampledFrom([]int{7, 8, 9, 250, 251, 300})).Draw(t, "attributes")
	b := append(wire.AppendLenenc(nil, uint64(count)), 1)
	if count == 0 {
		return b
	}
	nulls := make([]byte, (count+7)/8)
	var names, values []byte
	for i := range count {
		form := rapid.SampledFrom(attributeForms).Draw(t, "value")
		unsigned := rapid.SampledFrom([]byte{0, 0x80}).Draw(t, "unsigned")
		names = append(names, byte(form.kind), unsigned)
		names = wire.AppendLenencBytes(names, rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "name"))
		if rapid.Bool().Draw(t, "null") {
			nulls[i/8] |= 1 << (i % 8)
			continue
		}
		values = append(append(values, form.prefix...), form.value...)
	}
	return append(append(append(append(b, nulls...), 1), names...), values...)
}

func TestQueryRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		caps := drawCaps(t, 0, wire.ClientQueryAttributes)
		m := wire.Query{Text: drawBytes(t, "text")}
		if caps.Has(wire.ClientQueryAttributes) {
			m.Attributes = drawAttributes(t)
		}
		payload := m.AppendQuery(nil, caps)
		got, err := wire.DecodeQuery(payload, caps)
		if err != nil {
			t.Fatal(err)
		}
		same(t, m, got)
		refusesCuts(t, payload, 1+len(m.Attributes), func(b []byte) error {
			_, err := wire.DecodeQuery(b, caps)
			return err
		})
	})
}

// Without attributes of its own a query still says that it has none, where the
// peers have agreed on them.
func TestQueryWithoutAttributes(t *testing.T) {
	m := wire.Query{Text: []byte("SELECT 1")}
	if got := m.AppendQuery(nil, 0); string(got) != "\x03SELECT 1" {
		t.Errorf("%q", got)
	}
	if got := m.AppendQuery(nil, wire.ClientQueryAttributes); string(got) != "\x03\x00\x01SELECT 1" {
		t.Errorf("with attributes: %q", got)
	}
}

// Where attributes end is where the statement begins: nothing there may be
// guessed, or what is checked and what the server runs are two things.
func TestQueryRefuses(t *testing.T) {
	refuses(t, func(b []byte) error {
		_, err := wire.DecodeQuery(b, wire.ClientQueryAttributes)
		return err
	},
		badMessage{"nothing", ""},
		badMessage{"another command", "\x16\x00\x01SELECT 1"},
		badMessage{"no attributes", "\x03"},
		badMessage{"no number of sets", "\x03\x00"},
		badMessage{"no set", "\x03\x00\x00SELECT 1"},
		badMessage{"two sets", "\x03\x00\x02SELECT 1"},
		badMessage{"a text without attributes", "\x03SELECT 1"},
		badMessage{"more attributes than there can be", "\x03\xfd\x00\x00\x01\x01"},
		badMessage{"a number of attributes that wraps around", "\x03\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01"},
		badMessage{"as many as can be, and none of them", "\x03\xfc\xff\xff\x01"},
		badMessage{"no types", "\x03\x01\x01\x00\x00SELECT 1"},
		badMessage{"a name longer than the packet", "\x03\x01\x01\x00\x01\x03\x00\x09aSELECT 1"},
		badMessage{"a value longer than the packet", "\x03\x01\x01\x00\x01\xfd\x00\x01a\x7fSELECT 1"},
		badMessage{"a type that nobody knows", "\x03\x01\x01\x00\x01\x42\x00\x01a\x01xSELECT 1"},
	)
}

func decodeExecute(b []byte) error {
	_, err := wire.DecodeExecute(b)
	return err
}

func TestExecuteRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := wire.Execute{
			Command:   wire.Command(rapid.Byte().Draw(t, "command")),
			Statement: rapid.OneOf(rapid.Uint32(), rapid.Just(uint32(wire.LastPrepared))).Draw(t, "statement"),
			Rest:      drawBytes(t, "rest"),
		}
		payload := m.AppendTo(nil)
		got, err := wire.DecodeExecute(payload)
		if err != nil {
			t.Fatal(err)
		}
		same(t, m, got)
		refusesCuts(t, payload, 5, decodeExecute)
	})
}

func TestLastPreparedIsMinusOne(t *testing.T) {
	var buf [4]byte
	binary.LittleEndian.PutUint32(buf[:], wire.LastPrepared)
	if !bytes.Equal(buf[:], []byte{0xff, 0xff, 0xff, 0xff}) || wire.LastPrepared != math.MaxUint32 {
		t.Errorf("% x", buf)
	}
}

// TestAttributeTypes: only attributes are stepped over whose end tunic and MySQL
// agree on. MySQL reads a type it does not expect as length-encoded, whatever
// its name promises, and would find another text behind it.
func TestAttributeTypes(t *testing.T) {
	for _, c := range []struct {
		name  string
		kind  string // two bytes
		value string
		taken bool
	}{
		{"TINY", "\x01\x00", "\x07", true},
		{"unsigned LONGLONG", "\x08\x80", "\x01\x02\x03\x04\x05\x06\x07\x08", true},
		{"STRING", "\xfe\x00", "\x03abc", true},
		{"DATETIME", "\x0c\x00", "\x04\xe8\x07\x01\x02", true},
		{"YEAR", "\x0d\x00", "\x01x", false},
		{"INT24", "\x09\x00", "\x03abc", false},
		{"NULL", "\x06\x00", "", false},
		{"LONG with a strange flag", "\x03\x01", "\x03abc", false},
		{"DATETIME too long", "\x0c\x00", "\x0d0123456789abc", false},
	} {
		payload := "\x03" + "\x01\x01" + "\x00" + "\x01" + c.kind + "\x01n" + c.value + "SELECT 1"
		q, err := wire.DecodeQuery([]byte(payload), wire.ClientQueryAttributes)
		if c.taken && (err != nil || string(q.Text) != "SELECT 1") {
			t.Errorf("%s: %q, %v", c.name, q.Text, err)
		}
		if !c.taken && !errors.Is(err, wire.ErrMalformed) {
			t.Errorf("%s: %q, %v, want ErrMalformed", c.name, q.Text, err)
		}
	}
}
