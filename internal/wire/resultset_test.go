package wire_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// binarySizes are the sizes of values of a type; nil where any will do.
var binarySizes = map[wire.Type][]int{
	wire.TypeTiny: {1}, wire.TypeShort: {2}, wire.TypeYear: {2}, wire.TypeLong: {4}, wire.TypeInt24: {4}, wire.TypeFloat: {4},
	wire.TypeLongLong: {8}, wire.TypeDouble: {8}, wire.TypeDate: {0, 4}, wire.TypeDatetime: {0, 4, 7, 11}, wire.TypeTime: {0, 8, 12},
	wire.TypeVarString: nil, wire.TypeBlob: nil, wire.TypeNewDecimal: nil, wire.TypeJSON: nil, wire.TypeBit: nil,
}

// resultTypes are the types of binarySizes, in an order that stays.
var resultTypes = func() (all []wire.Type) {
	for t := range binarySizes {
		all = append(all, t)
	}
	slices.Sort(all)
	return all
}()

func drawCell(t *rapid.T, column wire.Type, binary bool) wire.Cell {
	if rapid.IntRange(0, 4).Draw(t, "null") == 0 {
		return wire.Cell{Null: true}
	}
	b := drawBytes(t, "cell")
	if sizes := binarySizes[column]; binary && sizes != nil {
		b = append(b, make([]byte, 12)...)[:rapid.SampledFrom(sizes).Draw(t, "size")]
	}
	return wire.Cell{Bytes: b}
}

// TestResultRoundTrip: a result that is written reads back, by a reader of its own
// and by Response, in both forms of rows and for clients of every kind.
func TestResultRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		caps := drawCaps(t, 0, wire.ClientDeprecateEOF|wire.MariaDBCacheMetadata|wire.MariaDBExtendedMetadata|wire.ClientSessionTrack)
		binary := rapid.Bool().Draw(t, "binary")
		command := wire.ComQuery
		if binary {
			command = wire.ComStmtExecute
		}
		var columns []wire.ColumnDefinition
		var types []wire.Type
		for range rapid.IntRange(1, 10).Draw(t, "columns") {
			c := wiretest.Column("c")
			c.Type = rapid.SampledFrom(resultTypes).Draw(t, "type")
			columns, types = append(columns, c), append(types, c.Type)
		}
		var stream bytes.Buffer
		out := wire.NewConn(duplex{nil, &stream}, wire.PacketBytesMax)
		out.SetSequence(1)
		w := out.BeginResult(caps, columns, wire.StatusAutocommit, binary)
		rows := make([][]wire.Cell, rapid.IntRange(0, 5).Draw(t, "rows"))
		for i := range rows {
			for _, column := range types {
				rows[i] = append(rows[i], drawCell(t, column, binary))
			}
			if err := w.Row(rows[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.End(wire.StatusAutocommit|wire.StatusInTransaction, 3); err != nil {
			t.Fatal(err)
		}
		got := follow(command, caps, stream.Bytes(), whole)
		if want := (outcome{Done: true, Succeeded: 1, Status: 3, Warnings: 3, Consumed: stream.Len()}); got != want {
			t.Fatalf("Response sees %+v, want %+v", got, want)
		}
		readBack(t, command, caps, stream.Bytes(), types, rows)
	})
}

func readBack(t *rapid.T, command wire.Command, caps wire.Capability, stream []byte, types []wire.Type, rows [][]wire.Cell) {
	p := &wiretest.Peer{Caps: caps, Wire: wire.NewConn(duplex{bytes.NewReader(stream), io.Discard}, wire.PacketBytesMax)}
	p.Wire.SetSequence(1)
	sets, err := p.ReadAnswer(command, nil)
	if err != nil || len(sets) != 1 || len(sets[0].Rows) != len(rows) || len(sets[0].Definitions) != len(types) {
		t.Fatalf("%+v, %v", sets, err)
	}
	for i, payload := range sets[0].Rows {
		cells, err := wire.DecodeTextRow(nil, payload, len(types))
		if command == wire.ComStmtExecute {
			cells, err = wire.DecodeBinaryRow(nil, payload, types)
		}
		if err != nil {
			t.Fatal(err)
		}
		same(t, rows[i], cells)
	}
}

// TestResultRefuses: a row that does not fit its columns is not written, and those
// after it are.
func TestResultRefuses(t *testing.T) {
	var stream bytes.Buffer
	out := wire.NewConn(duplex{nil, &stream}, wire.PacketBytesMax)
	number := wiretest.Column("n")
	number.Type = wire.TypeLong
	w := out.BeginResult(deprecated, []wire.ColumnDefinition{number}, 0, true)
	before := out.Pending()
	for _, cells := range [][]wire.Cell{nil, {{Bytes: []byte("123")}}, {{Bytes: []byte("12345")}}, {{}, {}}} {
		if err := w.Row(cells); !errors.Is(err, wire.ErrMalformed) || out.Pending() != before {
			t.Errorf("%v: %v, %d bytes more", cells, err, out.Pending()-before)
		}
	}
	if err := w.Row([]wire.Cell{{Bytes: []byte("1234")}}); err != nil || out.Pending() == before {
		t.Errorf("a good row: %v", err)
	}
}

// TestLongResultsAreWrittenAsTheyCome: a result of any length takes a bounded
// buffer, and a row costs no memory of its own.
func TestLongResultsAreWrittenAsTheyCome(t *testing.T) {
	out := wire.NewConn(duplex{nil, io.Discard}, wire.PacketBytesMax)
	w := out.BeginResult(deprecated, []wire.ColumnDefinition{wiretest.Column("c")}, 0, false)
	cells := []wire.Cell{{Bytes: filled(1000)}}
	allocations := testing.AllocsPerRun(1000, func() {
		if err := w.Row(cells); err != nil {
			t.Fatal(err)
		}
		if out.Pending() > 2*wire.BufferBytes {
			t.Fatalf("%d bytes are pending", out.Pending())
		}
	})
	if allocations > 0 {
		t.Errorf("%v allocations a row", allocations)
	}
}
