package procedure

import (
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// TestNote: where no values are to be looked at, a note about a layer says what its type says of it.
func TestNote(t *testing.T) {
	types := catalog.TypesOf(value.MySQL)
	layer := func(text string, of policy.Capabilities, alone bool) *ddl.NewLayer {
		typ, err := types(text, "", true)
		if err != nil {
			t.Fatal(err)
		}
		return &ddl.NewLayer{Schema: "shop", Table: "a", Column: "v", Type: typ, Layer: of, Alone: alone}
	}
	v := Verdicts{Catalog: func() *catalog.Catalog { return catalog.New(false) }}
	told := map[string]string{}
	for what, l := range map[string]*ddl.NewLayer{
		"once":    layer("bigint", policy.Equality, true),
		"few":     layer("tinyint", policy.Equality, false),
		"nothing": layer("bigint", policy.Equality, false),
		"sorted":  layer("bigint", policy.Order, false),
	} {
		note := v.Note(t.Context(), l)
		if !strings.Contains(note.Message, "shop.a.v") || !strings.Contains(note.Message, layerWord(l.Layer)) {
			t.Errorf("%s: %s", what, note.Message)
		}
		for other, same := range told {
			if same == note.Message {
				t.Errorf("%s and %s: %s", what, other, same)
			}
		}
		told[what] = note.Message
	}
}
