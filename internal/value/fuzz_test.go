package value

import (
	"bytes"
	"testing"

	"tunic/internal/value/charset"
)

// fuzzTypes are the types whose sources are read byte by byte.
var fuzzTypes = []string{
	"int", "bigint unsigned", "decimal(10,2)", "decimal(65,30)", "float", "double", "bit(20)", "year", "date", "time(3)", "datetime(6)", "timestamp",
	"char(5)", "varchar(5)", "tinytext", "binary(5)", "varbinary(5)", "enum('a','b','3')", "set('a','b','3')", "json", "geometry", "polygon", "uuid", "inet4", "inet6", "vector(3)",
}

// FuzzAssign feeds every type bytes as a string, a literal and a decimal, in both
// flavors: nothing panics, what is stored is a value that can be written, ordered
// and stored again, and a failure stores nothing.
func FuzzAssign(f *testing.F) {
	for _, list := range [][]string{numberTexts[:40], temporalTexts[:60], plainTexts[:30], jsonTexts, addressTexts[:20]} {
		for _, s := range list {
			f.Add([]byte(s), uint8(0))
		}
	}
	f.Add([]byte("\x00\x00\x00\x00\x01\x02\x00\x00\x00\x02\x00\x00\x00"), uint8(1))
	f.Fuzz(func(t *testing.T, b []byte, mode uint8) {
		flavor, collation := MariaDB, "utf8mb4_general_ci"
		if mode&1 != 0 {
			flavor, collation = MySQL, "utf8mb4_0900_ai_ci"
		}
		c, _ := charset.Lookup(flavor, collation)
		env := &Env{Flavor: flavor, Mode: Mode(mode >> 1)}
		for _, name := range fuzzTypes {
			column, err := Parse(name, c)
			if err != nil {
				t.Fatal(err)
			}
			for _, source := range []Source{StringSource(b, c), HexSource(b), HexStringSource(b), DecimalSource(b)} {
				checkAssign(t, column, &source, env)
				if _, e := Comparand(nil, column, &source, env); e == Unknown {
					t.Fatal("a value compared as NULL")
				}
			}
		}
	})
}

func checkAssign(t *testing.T, column *Type, s *Source, env *Env) {
	t.Helper()
	head := []byte("head")
	out, outcome := Assign(head, column, s, env)
	if !bytes.HasPrefix(out, head) {
		t.Fatalf("%v: what was there is gone", column.Kind)
	}
	if outcome.Failed() || outcome.Null {
		if len(out) != len(head) {
			t.Fatalf("%v: a failure stored %x", column.Kind, out)
		}
		return
	}
	canonical := out[len(head):]
	text := AppendText(nil, column, canonical, env)
	binary := AppendBinary(nil, column, canonical, env)
	if column.Verbatim(env) && (!bytes.Equal(text, canonical) || !bytes.Equal(binary, append(appendLength(nil, uint64(len(canonical))), canonical...))) {
		t.Fatalf("%v: %x is sent as %x and %x", column.Kind, canonical, text, binary)
	}
	if Ordered(column) {
		AppendEquality(nil, column, canonical)
		if n := len(AppendOrder(nil, column, canonical)); n != (OrderBits(column)+7)/8 {
			t.Fatalf("%v: order of %d bytes", column.Kind, n)
		}
		if Compare(column, canonical, canonical) != 0 {
			t.Fatalf("%v: %x differs from itself", column.Kind, canonical)
		}
	}
}

// FuzzParse reads column types.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"int(10) unsigned zerofill", "decimal(10,2)", "enum('a','b''c')", "set('x')", "varchar(5)", "enum('a", "decimal(", "(", "char(99999999999999999999)"} {
		f.Add(s)
	}
	c, _ := charset.Lookup(MySQL, "utf8mb4_bin")
	f.Fuzz(func(t *testing.T, s string) {
		if column, err := Parse(s, c); err == nil && column.Kind == Invalid {
			t.Fatalf("%q has no kind", s)
		}
	})
}
