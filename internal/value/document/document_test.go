package document

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// parsed is a document that has to be one.
func parsed(t *testing.T, text string) Value {
	t.Helper()
	v, ok := Parse([]byte(text))
	if !ok {
		t.Fatalf("%s is no document", text)
	}
	return v
}

func written(v *Value) string { return string(v.Append(nil)) }

// TestAppend: what is written is what was read, with other spaces.
func TestAppend(t *testing.T) {
	for text, want := range map[string]string{
		` { "b":1.50,"a" : [ 1e2,"\u00e4\n" ,null] } `: `{"b": 1.50, "a": [1e2, "\u00e4\n", null]}`,
		`{"a":1,"a":2}`: `{"a": 1, "a": 2}`,
		`[]`:            `[]`, `{}`: `{}`, `-0`: `-0`, ` true`: `true`, `"x"`: `"x"`,
	} {
		v := parsed(t, text)
		if got := written(&v); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestNotRead: what servers and RFC 8259 do not read alike.
func TestNotRead(t *testing.T) {
	for _, text := range []string{
		"", " ", "tru", "[1,]", "{1:2}", `{"a"}`, "01", "1.", ".5", "1e", "+1", `"a`, "\"a\nb\"", "\"\x7f\"", `"\x"`, `"\ud800"`, "[1] 2", "nullx",
		strings.Repeat("[", DepthMax+1) + strings.Repeat("]", DepthMax+1),
	} {
		if _, ok := Parse([]byte(text)); ok {
			t.Errorf("%q is read", text)
		}
	}
}

// TestPaths reads paths, and finds what they lead to.
func TestPaths(t *testing.T) {
	v := parsed(t, `{"a": [1, {"b": 2}, 3], "p q": {"b": 4}, "s": "t", "\u00e4": 5}`)
	for path, want := range map[string]string{
		`$.a[1].b`: "2", `$`: written(&v), `$."p q".b`: "4", `$.a[9]`: "", `$.s[0]`: `"t"`, `$.s[1]`: "", `$.*`: `[1, {"b": 2}, 3] {"b": 4} "t" 5`,
		`$.a[*]`: `1 {"b": 2} 3`, `$.nothing.at[0]`: "", `$."ä"`: "5", `$.a.b`: "",
	} {
		p, ok := ParsePath([]byte(path), false)
		if !ok {
			t.Errorf("%s is not read", path)
			continue
		}
		var found []string
		v.Find(p, func(x *Value) bool {
			found = append(found, written(x))
			return true
		})
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
	for _, path := range []string{"", "a", "$.", "$.1", "$[", "$[-1]", "$[a]", "$**.a", "$ .a", `$."a`, "$[last]", "$[1 to 2]", "$.a-b", `$."a\"b"`} {
		if _, ok := ParsePath([]byte(path), false); ok {
			t.Errorf("%s is read", path)
		}
	}
}

// TestNamesOfDigits: they are names to MariaDB alone.
func TestNamesOfDigits(t *testing.T) {
	v := parsed(t, `{"1": {"2a": 3}}`)
	p, ok := ParsePath([]byte("$.1.2a"), true)
	if !ok || written(v.First(p)) != "3" {
		t.Errorf("read: %t, %v", ok, p)
	}
	if _, ok := ParsePath([]byte("$.1"), false); ok {
		t.Error("MySQL reads no name of digits")
	}
}

// TestAppendAlike: numbers that may be equal are written alike, and nothing else is.
func TestAppendAlike(t *testing.T) {
	alike := func(text string) string {
		v := parsed(t, text)
		return string(v.AppendAlike(nil))
	}
	for _, texts := range [][]string{
		{"1", "1.0", "1e0", "10e-1"}, {"0", "-0.0", "-0"}, {`{"a": [2.50, "1"]}`, `{"a": [25e-1, "1"]}`}, {"9007199254740993", "9007199254740992"},
	} {
		for _, text := range texts {
			if got, want := alike(text), alike(texts[0]); got != want {
				t.Errorf("%s: %s, and %s of %s", text, got, want, texts[0])
			}
		}
	}
	if alike(`"1"`) == alike("1") || alike(`"1.0"`) == alike(`"1"`) || alike("[1]") == alike("[1, 1]") {
		t.Error("values that differ are written alike")
	}
}

// TestChanges changes documents, in MySQL's order and in none.
func TestChanges(t *testing.T) {
	for _, c := range []struct {
		doc, path string
		how       Change
		sorted    bool
		want      string // "" for a refusal
	}{
		{`{"b": 1}`, "$.a", Set, true, `{"a": 0, "b": 1}`},
		{`{"b": 1}`, "$.a", Set, false, `{"b": 1, "a": 0}`},
		{`{"b": 1}`, "$.b", Insert, false, `{"b": 1}`},
		{`{"b": 1}`, "$.a", Replace, false, `{"b": 1}`},
		{`{"b": 1}`, "$", Replace, false, `0`},
		{`[1]`, "$[5]", Set, false, `[1, 0]`},
		{`[1]`, "$", Append, false, `[1, 0]`},
		{`{"a": 1}`, "$.a", Append, false, `{"a": [1, 0]}`},
		{`{"a": 1}`, "$.a[0]", Set, false, ``},
		{`{"a": 1}`, "$.*", Set, false, ``},
		{`{"a": 1}`, "$.x.y", Set, false, `{"a": 1}`},
	} {
		v, path := parsed(t, c.doc), c.path
		p, _ := ParsePath([]byte(path), false)
		got := ""
		if v.Change(c.how, p, parsed(t, "0"), c.sorted) {
			got = written(&v)
		}
		if got != c.want {
			t.Errorf("%s of %s: %s, want %s", path, c.doc, got, c.want)
		}
	}
}

// TestMerges merges documents as the examples of RFC 7396 (appendix A), and keeps
// what is in both.
func TestMerges(t *testing.T) {
	for _, c := range [][3]string{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a": "c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a": "b", "b": "c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b": "c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a": "c"}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a": {"b": "d"}}`},
		{`["a","b"]`, `["c","d"]`, `["c", "d"]`},
		{`{"a":"foo"}`, `null`, `null`},
		{`[1,2]`, `{"a":"b","c":null}`, `{"a": "b"}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a": {"bb": {}}}`},
	} {
		v, with := parsed(t, c[0]), parsed(t, c[1])
		if got, ok := MergePatch(&v, &with, false); !ok || written(&got) != c[2] {
			t.Errorf("%s and %s: %s", c[0], c[1], written(&got))
		}
	}
	v, with := parsed(t, `{"a": 1, "b": [2]}`), parsed(t, `{"a": {"x": 1}, "b": 3, "c": 4}`)
	if got, _ := MergePreserve(&v, &with, false); written(&got) != `{"a": [1, {"x": 1}], "b": [2, 3], "c": 4}` {
		t.Error(written(&got))
	}
}

// FuzzParse: what is read is JSON, has the same meaning when it is written, and is
// read again.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e3,"\u00e4\"",null,true,{}]}`, `"\\"`, `[[]]`, `-0.0`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, ok := Parse(text)
		if !ok {
			return
		}
		out := v.Append(nil)
		var a, b any
		if !json.Valid(text) {
			t.Fatalf("%q is read", text)
		}
		if json.Unmarshal(text, &a) == nil && (json.Unmarshal(out, &b) != nil || !reflect.DeepEqual(a, b)) {
			t.Fatalf("%q became %q", text, out)
		}
		again, ok := Parse(out)
		if !ok || !reflect.DeepEqual(v.Clone(), again.Clone()) {
			t.Fatalf("%q is not read again", out)
		}
	})
}

// FuzzText: text comes back from a string.
func FuzzText(f *testing.F) {
	f.Add([]byte("a\"b\\\n\x01ä"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if got := AppendText([]byte{}, AppendRaw(nil, text)); string(got) != string(text) {
			t.Errorf("%q: %q", text, got)
		}
	})
}

// FuzzPath: no path and no document makes it fail.
func FuzzPath(f *testing.F) {
	f.Add([]byte("$.a[1]"), []byte(`{"a":[1,2]}`))
	f.Fuzz(func(t *testing.T, path, text []byte) {
		p, known := ParsePath(path, false)
		v, ok := Parse(text)
		if !known || !ok {
			return
		}
		changed := v.Clone()
		if changed.Change(Set, p, Text([]byte("x")), true) && p.IsExact() {
			if found := changed.First(p); found != nil && v.First(p) != nil && written(found) != `"x"` {
				t.Errorf("%q of %q: %s", path, text, written(found))
			}
		}
		removed := v.Clone()
		removed.Remove(p)
	})
}
