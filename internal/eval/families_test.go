package eval

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tunic/internal/eval/arithmetic"
	"tunic/internal/eval/choice"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/date"
	"tunic/internal/eval/drawing"
	"tunic/internal/eval/encoding"
	"tunic/internal/eval/predicate"
	"tunic/internal/eval/text"
)

// families are the packages that compile operations, and which other ones each of them may need.
var families = map[string][]string{
	"arithmetic": nil,
	"cast":       {"documents"}, // CAST AS JSON
	"choice":     {"predicate"}, // CASE compares
	"date":       nil,
	"documents":  nil,
	"drawing":    nil,
	"encoding":   nil,
	"grouping":   {"documents"}, // JSON_ARRAYAGG
	"pattern":    nil,
	"predicate":  nil,
	"text":       nil,

	"compilation": nil, // which know no family
	"coercion":    nil,
	"operand":     nil,
}

// TestFamilies: a family needs no other one, but for the few that do.
func TestFamilies(t *testing.T) {
	for family, others := range families {
		files, err := filepath.Glob(filepath.Join(family, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(family, err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				checkImports(t, file, others)
			}
		}
	}
}

func checkImports(t *testing.T, file string, others []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	shared := []string{"compilation", "coercion", "operand"}
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		room, ok := strings.CutPrefix(path, "tunic/internal/eval/")
		if _, known := families[room]; ok && known && !slices.Contains(others, room) && !slices.Contains(shared, room) {
			t.Errorf("%s imports %s, which is another family", file, room)
		}
	}
}

// TestFunctions: a name is in the table of one family, and a second name in that of none.
func TestFunctions(t *testing.T) {
	of := map[string]string{}
	for family, table := range map[string]map[string]compilation.Function{
		"arithmetic": arithmetic.Functions(), "choice": choice.Functions(), "date": date.Functions(), "drawing": drawing.Functions(),
		"encoding": encoding.Functions(), "predicate": predicate.Functions(), "text": text.Functions(),
	} {
		for name := range table {
			if of[name] != "" {
				t.Errorf("%s is in %s and %s", name, of[name], family)
			}
			of[name] = family
		}
	}
	if len(of) != len(functions) {
		t.Errorf("%d functions of families, and %d in the table", len(of), len(functions))
	}
	for second, name := range synonyms {
		if of[second] != "" || of[name] == "" {
			t.Errorf("%s is another name of %s: %q, %q", second, name, of[second], of[name])
		}
	}
}
