package json

import (
	"reflect"
	"testing"

	"tunic/internal/eval/decimal"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/value/document"
)

func parse(t *testing.T, text string) *document.Value {
	t.Helper()
	v, ok := document.Parse([]byte(text))
	if !ok {
		t.Fatal(text)
	}
	return &v
}

func paths(t *testing.T, texts ...string) (all []document.Path) {
	t.Helper()
	for _, text := range texts {
		p, ok := document.ParsePath([]byte(text), false)
		if !ok {
			t.Fatal(text)
		}
		all = append(all, p)
	}
	return all
}

func written(v *document.Value) string {
	if v == nil {
		return "NULL"
	}
	return string(v.Append(nil))
}

func TestExtract(t *testing.T) {
	for _, c := range []struct {
		doc     string
		paths   []string
		mariadb bool
		want    string
		known   bool
	}{
		{`{"a": [1, 2]}`, []string{"$.a"}, false, "[1, 2]", true},
		{`{"a": [1, 2]}`, []string{"$.b"}, false, "NULL", true},
		{`{"a": [1, 2]}`, []string{"$.a[1]", "$.a[0]"}, false, "[2, 1]", true},
		{`{"a": [1, 2]}`, []string{"$.a[1]", "$.a[0]"}, true, "[1, 2]", true},
		{`{"a": [1, 2]}`, []string{"$.a[1]", "$.a[1]"}, false, "[2, 2]", true},
		{`{"a": [1, 2]}`, []string{"$.a[1]", "$.a[1]"}, true, "", false},
		{`{"a": [1, 2]}`, []string{"$.*"}, false, "[[1, 2]]", true},
		{`[1]`, []string{"$.*"}, false, "NULL", true},
	} {
		v, known := Extract(parse(t, c.doc), paths(t, c.paths...), c.mariadb)
		if known != c.known || known && written(v) != c.want {
			t.Errorf("%v of %s: %s, %v", c.paths, c.doc, written(v), known)
		}
	}
}

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		doc   string
		paths []string
		want  string
		known bool
	}{
		{`{"b": 1, "a": {"c": 2}, "b": 3}`, nil, `["b", "a"]`, true},
		{`{"a": {"c": 2}}`, []string{"$.a"}, `["c"]`, true},
		{`{"a": {"c": 2}}`, []string{"$.x"}, "NULL", true},
		{`{"a": {"c": 2}}`, []string{"$.*"}, "", false},
		{"[1]", nil, "NULL", true},
		{"{}", nil, "[]", true},
	} {
		v, known := Keys(parse(t, c.doc), paths(t, c.paths...))
		if known != c.known || known && written(v) != c.want {
			t.Errorf("%v of %s: %s, %v", c.paths, c.doc, written(v), known)
		}
	}
}

// TestScalars are in the order of their kinds, and of one kind in their own.
func TestScalars(t *testing.T) {
	texts := []string{"null", "-2", "1", "1.5", "18446744073709551615", `""`, `"a"`, `"b"`, "false", "true"}
	for i, a := range texts {
		for k, b := range texts {
			x, okX := ScalarOf([]byte(a))
			y, okY := ScalarOf([]byte(b))
			if !okX || !okY {
				t.Fatal(a, b)
			}
			if d, ok := x.Compare(&y); ok && d != min(max(i-k, -1), 1) {
				t.Errorf("%s and %s: %d", a, b, d)
			}
		}
	}
	if _, ok := ScalarOf([]byte("[1]")); ok {
		t.Error("an array is a scalar")
	}
	a, b := OfReal(1e20), OfExact(decimal.OfUint(1<<63))
	if _, ok := a.Compare(&b); ok {
		t.Error("the last digits of a double decide")
	}
	for _, c := range []struct{ text, of Scalar }{{scalar("true"), OfTruth(true)}, {scalar(`"a"`), OfText([]byte("a"))}, {scalar("7"), OfExact(decimal.OfInt(7))}, {scalar("1.5"), OfReal(1.5)}} {
		if d, ok := c.text.Compare(&c.of); d != 0 || !ok {
			t.Errorf("%+v and %+v: %d, %v", c.text, c.of, d, ok)
		}
	}
}

func scalar(text string) Scalar {
	s, _ := ScalarOf([]byte(text))
	return s
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]bool{"1": true, "123456789012345678": true, "1234567890123456789": false, "1.5": true, "1234567890.123456": false, `"1"`: false, "": false} {
		if IsNumber([]byte(text)) != want {
			t.Errorf("%s is a number: %v", text, !want)
		}
	}
	env := &value.Env{Flavor: value.MariaDB, Version: 101100}
	collation, _ := charset.Lookup(value.MariaDB, "utf8mb4_bin")
	for text, want := range map[string]float64{"1.5": 1.5, "true": 1, "false": 0, `"2.5"`: 2.5, `"2x"`: -1, `""`: -1, "null": -1, "[1]": -1, "1234567890123456": -1} {
		if got, ok := AsReal([]byte(text), collation, env); ok != (want >= 0) || ok && got != want {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
	}
}

func TestKinds(t *testing.T) {
	for text, want := range map[string]string{"null": "NULL", "true": "BOOLEAN", `""`: "STRING", "[]": "ARRAY", "{}": "OBJECT", "1": "INTEGER", "18446744073709551615": "UNSIGNED INTEGER", "1.0": "DOUBLE"} {
		if got := KindName(parse(t, text), false); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := KindName(parse(t, "18446744073709551615"), true); got != "INTEGER" {
		t.Errorf("MariaDB: %s", got)
	}
}

func TestMembers(t *testing.T) {
	member := func(name, text string) Member { return Member{Name: []byte(name), Value: []byte(text)} }
	members := InOrder([]Member{member("long", "1"), member("b", "2"), member("a", "3"), member("b", "4")})
	if got := string(AppendMembers(nil, members, `": `)); got != `{"a": 3, "b": 4, "long": 1}` {
		t.Error(got)
	}
}

// TestKept: what was read last is kept, and what is none is known to be none each time.
func TestKept(t *testing.T) {
	env := &value.Env{Flavor: value.MySQL, Version: 90100}
	var d Document
	text := []byte(`{"b":1,"a":2}`)
	first := d.Read(text, false, value.MySQL, env)
	if written(first) != `{"a": 2, "b": 1}` {
		t.Errorf("normal form %s", written(first))
	}
	if n := testing.AllocsPerRun(10, func() { d.Read(text, false, value.MySQL, env) }); n != 0 {
		t.Errorf("%v allocations to read the same again", n)
	}
	for range 2 {
		if v := d.Read([]byte("{"), false, value.MySQL, env); v != nil {
			t.Errorf("a document of nothing: %s", written(v))
		}
	}
	var p Path
	for _, text := range []string{"$.a", "$.a", "$[", "$[", "$.b"} {
		path, ok := p.Read([]byte(text), false)
		want, known := document.ParsePath([]byte(text), false)
		if ok != known || ok && !reflect.DeepEqual(path, want) {
			t.Errorf("%s: %v, %v", text, path, ok)
		}
	}
}
