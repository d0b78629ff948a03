package remark

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/plan/explanation"
	"tunic/internal/translation"
	"tunic/internal/wire"
)

// hidden makes of a document one in which every string is as translation.HideForms leaves it. ok
// is false if that would change a name: two names may become one.
func hidden(v any) (_ any, ok bool) {
	ok = true
	switch v := v.(type) {
	case string:
		return translation.HideForms(v), true
	case []any:
		for i := range v {
			var one bool
			v[i], one = hidden(v[i])
			ok = ok && one
		}
	case map[string]any:
		for name, member := range v {
			var one bool
			v[name], one = hidden(member)
			ok = ok && one && translation.HideForms(name) == name
		}
	}
	return v, ok
}

// utf8Only is a session in UTF-8.
type utf8Only struct{}

func (utf8Only) Encode(text string) []byte { return []byte(text) }
func (utf8Only) Decode(text []byte) string { return string(text) }

// FuzzExplainedJSON: whatever object a server explains with stays one, with tunic's
// words in it.
func FuzzExplainedJSON(f *testing.F) {
	for _, text := range []string{
		`{}`, `{"a": 1}`, "{\n  \"query_block\": {\"select_id\": 1, \"c\": \"`a` = 'x\\\\'y'\"}\n}", `{"q": "'\u0001\"'}"}`, `{"a": "it's"} `,
	} {
		f.Add(text)
	}
	w := Remarks{form: formText, charset: utf8Only{}, lines: []explanation.Line{{About: "remote", Text: "a <equality of \"b\">"}}}
	f.Fuzz(func(t *testing.T, text string) {
		var before map[string]any
		if !strings.HasPrefix(text, "{") || !utf8.ValidString(text) || json.Unmarshal([]byte(text), &before) != nil {
			return
		}
		if _, ok := hidden(before); !ok {
			return
		}
		cells := []wire.Cell{{Bytes: []byte(text)}}
		w.Adapt(cells)
		var after map[string]any
		if err := json.Unmarshal(cells[0].Bytes, &after); err != nil {
			t.Fatalf("%s: %v", cells[0].Bytes, err)
		}
		if said, ok := after["tunic"].([]any); !ok || len(said) != 1 {
			t.Errorf("%s", cells[0].Bytes)
		}
		delete(after, "tunic")
		delete(before, "tunic")
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%s: %s", cells[0].Bytes, diff)
		}
	})
}

func named(names ...string) (columns []wire.ColumnDefinition) {
	for _, n := range names {
		columns = append(columns, wire.ColumnDefinition{Name: []byte(n), Length: 5})
	}
	return columns
}

// TestRows: of an answer of rows, tunic's are behind the server's, and its columns have room for them.
func TestRows(t *testing.T) {
	lines := []explanation.Line{{About: "where", Text: "remote, by the equality layer"}, {About: "order by", Text: "local"}}
	columns := named("id", "SELECT_TYPE", "table", "rows", "Extra")
	r, ok := Of(lines, "person", columns, utf8Only{})
	if !ok {
		t.Fatal("the form of rows is not known")
	}
	const first, second = "where: remote, by the equality layer", "order by: local"
	if columns[4].Length != uint32(len(first)) || columns[0].Length != 5 {
		t.Errorf("the columns have room for %d and %d", columns[4].Length, columns[0].Length)
	}
	rows := r.Rows()
	if len(rows) != len(lines) {
		t.Fatalf("%d rows of %d lines", len(rows), len(lines))
	}
	for i, extra := range []string{first, second} {
		for at, want := range []string{"", "TUNIC", "person", "", extra} {
			if c := rows[i][at]; string(c.Bytes) != want || c.Null != (want == "") {
				t.Errorf("row %d, column %d: %q, NULL is %v", i, at, c.Bytes, c.Null)
			}
		}
	}
	server := []wire.Cell{{Bytes: []byte("x'00ff'")}}
	if r.Adapt(server); string(server[0].Bytes) != "x'00ff'" {
		t.Errorf("a row of the server's is %q", server[0].Bytes)
	}
}

// TestAdapt: of an answer that is a text, tunic's words are at its end, and stored forms are not in it.
func TestAdapt(t *testing.T) {
	r, ok := Of([]explanation.Line{{About: "where", Text: "local"}}, "person", named("EXPLAIN"), utf8Only{})
	if !ok || r.Rows() != nil {
		t.Fatal("the form of a text is not known")
	}
	for said, want := range map[string]string{
		"-> Filter: (a$eq = 0x00ff)\n":  "-> Filter: (a$eq = ?)\n-> tunic\n    -> where: local\n",
		"{\"c\": \"`a$eq` = x'00ff'\"}": "{\"c\": \"`a$eq` = ?\",\n  \"tunic\": [\n    {\n      \"about\": \"where\",\n      \"text\": \"local\"\n    }\n  ]\n}",
	} {
		cells := []wire.Cell{{Bytes: []byte(said)}}
		if r.Adapt(cells); string(cells[0].Bytes) != want {
			t.Errorf("%s became\n%s\nwant\n%s", said, cells[0].Bytes, want)
		}
	}
	null := []wire.Cell{{Null: true}}
	if r.Adapt(null); !null[0].Null || null[0].Bytes != nil {
		t.Errorf("NULL became %q", null[0].Bytes)
	}
}

// TestOf: an answer whose form is not known is not one that words are added to.
func TestOf(t *testing.T) {
	for _, columns := range [][]wire.ColumnDefinition{nil, named("id", "select_type", "table"), named("id", "task")} {
		if _, ok := Of(nil, "person", columns, utf8Only{}); ok {
			t.Errorf("%d columns are a form that is known", len(columns))
		}
	}
}
