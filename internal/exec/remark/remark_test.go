package exec

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
	w := words{form: formText, charset: utf8Only{}, lines: []explanation.Line{{About: "remote", Text: "a <equality of \"b\">"}}}
	f.Fuzz(func(t *testing.T, text string) {
		var before map[string]any
		if !strings.HasPrefix(text, "{") || !utf8.ValidString(text) || json.Unmarshal([]byte(text), &before) != nil {
			return
		}
		if _, ok := hidden(before); !ok {
			return
		}
		cells := []wire.Cell{{Bytes: []byte(text)}}
		w.adapt(cells)
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
