package literal

import (
	"testing"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

func session(t *testing.T, f value.Flavor, collation string) *program.Session {
	t.Helper()
	c, ok := charset.Lookup(f, collation)
	if !ok {
		t.Fatal(collation)
	}
	return &program.Session{Flavor: f, Version: map[value.Flavor]int{value.MariaDB: 101100, value.MySQL: 90100}[f], Collation: c}
}

func TestLiterals(t *testing.T) {
	for _, c := range []struct {
		of            ast.ValType
		text          string
		mysql         value.Form
		mariadb       value.Form
		class         class.Class // on MySQL
		digits, scale int
	}{
		{ast.IntVal, "9223372036854775807", value.FormInt, value.FormInt, class.Int, 19, 0},
		{ast.IntVal, "9223372036854775808", value.FormUint, value.FormUint, class.Uint, 19, 0},
		{ast.IntVal, "18446744073709551616", value.FormDecimal, value.FormDecimal, class.Decimal, 20, 0},
		{ast.DecimalVal, "01.250", value.FormDecimal, value.FormDecimal, class.Decimal, 4, 3},
		{ast.FloatVal, "1e3", value.FormDouble, value.FormDouble, class.Double, 0, class.ScaleFree},
		{ast.HexVal, "414", value.FormHex, value.FormHexString, class.Hex, 0, 0},
		{ast.HexNum, "0x41", value.FormHex, value.FormHex, class.Hex, 0, 0},
		{ast.StrVal, "text", value.FormString, value.FormString, class.Text, 0, 0},
		{ast.DateVal, "2021-03-04", value.FormDate, value.FormDate, class.Date, 0, 0},
		{ast.TimeVal, "05:06:07.25", value.FormTime, value.FormTime, class.Time, 0, 2},
		{ast.TimestampVal, "2021-03-04 05:06:07", value.FormDateTime, value.FormDateTime, class.DateTime, 0, 0},
	} {
		for f, want := range map[value.Flavor]value.Form{value.MySQL: c.mysql, value.MariaDB: c.mariadb} {
			in := session(t, f, "utf8mb4_general_ci")
			s, err := SourceOf(&ast.Literal{Type: c.of, Val: c.text}, in)
			if err != nil || s.Form != want {
				t.Errorf("%s on %v: %v, %v", c.text, f, s.Form, err)
				continue
			}
			shape, err := ShapeOf(&s, in)
			if err != nil || f == value.MySQL && (shape.Class != c.class || shape.Digits != c.digits || shape.Scale != c.scale) {
				t.Errorf("%s on %v: %+v, %v", c.text, f, shape, err)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	in := session(t, value.MySQL, "utf8mb4_general_ci")
	for _, l := range []ast.Literal{
		{Type: ast.FloatVal, Val: "1e999"}, {Type: ast.HexVal, Val: "4g"}, {Type: ast.DateVal, Val: "2021-02-30"}, {Type: ast.TimeVal, Val: "x"}, {Type: ast.BitNum, Val: "0b1"},
	} {
		if s, err := SourceOf(&l, in); err == nil {
			t.Errorf("%s is %+v", l.Val, s)
		}
	}
	long := value.DecimalSource([]byte("0." + "1111111111111111111111111111111111111111111111111111111111111111111111"))
	if _, err := ShapeOf(&long, in); err == nil {
		t.Error("a DECIMAL of 70 digits has a type")
	}
}

// TestStrings: whose collation counts hangs on where a string is from, and in a binary character set it is bytes.
func TestStrings(t *testing.T) {
	in := session(t, value.MySQL, "utf8mb4_general_ci")
	latin, _ := charset.Lookup(value.MySQL, "latin1_swedish_ci")
	binary, _ := charset.Lookup(value.MySQL, "binary")
	text := []byte("äb")
	for _, c := range []struct {
		s         value.Source
		class     class.Class
		chars     int
		coercible class.Coercibility
	}{
		{value.Source{Form: value.FormString, Bytes: text}, class.Text, 2, class.CoercibleLiteral},
		{value.Source{Form: value.FormString, Bytes: text, Collation: latin}, class.Text, 3, class.CoercibleLiteral},
		{value.Source{Form: value.FormString, Bytes: text, Collation: binary}, class.Bytes, 3, class.CoercibleLiteral},
		{value.Source{Form: value.FormString, Bytes: text, Variable: true}, class.Text, 2, class.CoercibleColumn},
		{value.Source{Form: value.FormString, Bytes: text, System: true}, class.Text, 2, class.CoercibleSystem},
		{value.Source{Form: value.FormNull}, class.Null, 0, class.CoercibleNull},
	} {
		got, err := ShapeOf(&c.s, in)
		if err != nil || got.Class != c.class || got.Chars != c.chars || got.Coercible != c.coercible {
			t.Errorf("%+v: %+v, %v", c.s, got, err)
		}
	}
	param := value.TimeSource(0, 3)
	param.Param = true
	for f, want := range map[value.Flavor]int{value.MySQL: 6, value.MariaDB: 3} {
		if got, err := ShapeOf(&param, session(t, f, "utf8mb4_general_ci")); err != nil || got.Scale != want {
			t.Errorf("a parameter that is a TIME on %v: %+v, %v", f, got, err)
		}
	}
}
