package value

import (
	"testing"

	"tunic/internal/racetest"
	"tunic/internal/value/charset"
)

// hot is what nearly every statement does.
var hot = []struct {
	name, column string
	source       func() Source
}{
	{"int from int", "int", func() Source { return IntSource(123456) }},
	{"int from text", "int", func() Source { return text("123456") }},
	{"decimal from decimal", "decimal(10,2)", func() Source { return DecimalSource([]byte("1234.56")) }},
	{"decimal from text", "decimal(10,2)", func() Source { return text("1234.56") }},
	{"wide decimal", "decimal(40,10)", func() Source { return DecimalSource([]byte("123456789012345678901234567.1234567891")) }},
	{"double", "double", func() Source { return DoubleSource(3.25) }},
	{"date from text", "date", func() Source { return text("2024-05-06") }},
	{"datetime from text", "datetime", func() Source { return text("2024-05-06 07:08:09") }},
	{"timestamp from text", "timestamp(3)", func() Source { return text("2024-05-06 07:08:09.123") }},
	{"varchar", "varchar(120)", func() Source { return text("48-Fünfzehn-Zeichen und noch ein paar mehr") }},
	{"char(120)", "char(120)", func() Source {
		return text("08566691963-88624912351-16662227201-46648573979-64646226163-77505759394-75470094713-41097360717-15161106334-50535565977")
	}},
	{"enum", "enum('new','paid','sent')", func() Source { return text("sent") }},
	{"varbinary", "varbinary(40)", func() Source { return HexStringSource([]byte("0123456789")) }},
}

// TestNoAllocation: storing, comparing and writing the common types takes no
// memory but the caller's.
func TestNoAllocation(t *testing.T) {
	if racetest.On {
		t.Skip("the race detector empties pools, so that they allocate: run without -race")
	}
	env := *strict
	env.Results, _ = charset.CharsetByName(MySQL, "utf8mb4")
	for _, h := range hot {
		column, source := mustParse(t, h.column), h.source()
		buf := make([]byte, 0, 4096)
		if n := testing.AllocsPerRun(100, func() { hotPath(buf, column, &source, &env) }); n != 0 {
			t.Errorf("%s: %v allocations", h.name, n)
		}
	}
}

// hotPath does what one value goes through.
func hotPath(buf []byte, column *Type, source *Source, env *Env) {
	canonical, _ := Assign(buf, column, source, env)
	rest := canonical[len(canonical):]
	rest = AppendText(rest, column, canonical, env)
	rest = AppendBinary(rest[len(rest):], column, canonical, env)
	rest = AppendEquality(rest[len(rest):], column, canonical)
	rest = AppendOrder(rest[len(rest):], column, canonical)
	_, _ = Comparand(rest[len(rest):], column, source, env)
	Meta(column, env)
}

func BenchmarkAssign(b *testing.B) {
	for _, h := range hot {
		b.Run(h.name, func(b *testing.B) {
			column, source := mustParse(b, h.column), h.source()
			buf := make([]byte, 0, 256)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = Assign(buf, column, &source, strict)
			}
		})
	}
}

func BenchmarkAppendText(b *testing.B) {
	for _, h := range hot {
		b.Run(h.name, func(b *testing.B) {
			column, source := mustParse(b, h.column), h.source()
			canonical, _ := Assign(nil, column, &source, strict)
			buf := make([]byte, 0, 256)
			b.ReportAllocs()
			for b.Loop() {
				AppendText(buf, column, canonical, strict)
			}
		})
	}
}

func BenchmarkAppendOrder(b *testing.B) {
	for _, h := range hot {
		b.Run(h.name, func(b *testing.B) {
			column, source := mustParse(b, h.column), h.source()
			canonical, _ := Assign(nil, column, &source, strict)
			buf := make([]byte, 0, 256)
			b.ReportAllocs()
			for b.Loop() {
				AppendOrder(buf, column, canonical)
			}
		})
	}
}
