package layers

import (
	"encoding/binary"
	"errors"
	"testing"

	"tunic/internal/value"
)

// TestConversions: values become what the server makes of them, and what would be
// another value, or one with a warning, does not.
func TestConversions(t *testing.T) {
	number := func(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }
	for _, c := range []struct {
		from, to       string
		collations     [2]string
		value, becomes []byte // becomes is nil where there is an error
	}{
		{"int", "bigint", [2]string{}, number(-5), number(-5)},
		{"bigint", "tinyint", [2]string{}, number(127), number(127)},
		{"bigint", "tinyint", [2]string{}, number(128), nil},
		{"int", "int unsigned", [2]string{}, number(-1), nil},
		{"bigint unsigned", "bigint", [2]string{}, number(-1), nil}, // 2^64 - 1
		{"int", "decimal(6,2)", [2]string{}, number(-5), number(-500)},
		{"int", "decimal(6,2)", [2]string{}, number(10000), nil},
		{"decimal(6,2)", "decimal(7,3)", [2]string{}, number(-150), number(-1500)},
		{"decimal(6,2)", "decimal(4,2)", [2]string{}, number(10000), nil},
		{"varchar(9)", "char(4)", [2]string{"utf8mb4_bin", "latin1_swedish_ci"}, []byte("é  "), []byte("\xe9")},
		{"varchar(9)", "varchar(2)", [2]string{"utf8mb4_bin", "utf8mb4_bin"}, []byte("abc"), nil},
		{"varchar(9)", "varchar(9)", [2]string{"utf8mb4_bin", "latin1_swedish_ci"}, []byte("日"), nil},
		{"varchar(9)", "text", [2]string{"utf8mb4_bin", "utf8mb4_general_ci"}, []byte{}, []byte{}},
		{"enum('a','b')", "enum('b','a')", [2]string{"utf8mb4_bin", "utf8mb4_bin"}, number(1), number(2)},
		{"enum('a','b')", "enum('b')", [2]string{"utf8mb4_bin", "utf8mb4_bin"}, number(1), nil},
		{"set('a','b')", "set('b','c','a')", [2]string{"utf8mb4_bin", "utf8mb4_bin"}, number(3), number(5)},
	} {
		from, to := typed(t, 1, "c", c.from, c.collations[0], false).Type, typed(t, 1, "c", c.to, c.collations[1], false).Type
		env := &value.Env{Mode: value.StrictTransTables}
		if !CanConvert(&from, &to, env) {
			t.Errorf("%s to %s: not at all", c.from, c.to)
			continue
		}
		got, err := Converter(&from, &to, env)(c.value)
		if (c.becomes == nil) != errors.Is(err, ErrConversion) || string(got) != string(c.becomes) {
			t.Errorf("%s to %s: %x becomes %x, not %x: %v", c.from, c.to, c.value, got, c.becomes, err)
		}
	}
}

// TestNoConversions: types of another sort, and coarser ones, are left to others.
func TestNoConversions(t *testing.T) {
	for _, c := range [][4]string{
		{"int", "varchar(20)", "", "utf8mb4_bin"},
		{"varchar(20)", "int", "utf8mb4_bin", ""},
		{"int", "double", "", ""},
		{"double", "float", "", ""},
		{"datetime(3)", "datetime", "", ""},
		{"datetime", "timestamp", "", ""},
		{"datetime", "date", "", ""},
		{"decimal(6,2)", "decimal(6,1)", "", ""},
		{"decimal(6,2)", "int", "", ""},
		{"enum('a')", "varchar(9)", "utf8mb4_bin", "utf8mb4_bin"},
		{"json", "text", "", "utf8mb4_bin"},
		{"binary(3)", "varbinary(3)", "", ""},
	} {
		from, to := typed(t, 1, "c", c[0], c[2], false).Type, typed(t, 1, "c", c[1], c[3], false).Type
		if CanConvert(&from, &to, &value.Env{}) {
			t.Errorf("%s to %s", c[0], c[1])
		}
	}
	text := typed(t, 1, "c", "char(3)", "utf8mb4_bin", false).Type
	if CanConvert(&text, &text, &value.Env{Mode: value.PadCharToFullLength}) {
		t.Error("text that is read with other spaces than it has")
	}
}
