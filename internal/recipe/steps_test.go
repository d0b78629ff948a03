package recipe

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"tunic/internal/sql/ast"
)

// steps are one of each.
var steps = []Step{
	&Filter{Where: column("a")}, &Group{}, &Having{Where: column("a")}, &Window{}, &Project{}, &Distinct{}, &Sort{},
	&Limit{Of: &ast.Limit{Rowcount: column("a")}}, &Attach{},
}

// TestEachStepIsSaid: each step has words, so that a plan shows it and EXPLAIN tells it. An Attach is told by
// its tree.
func TestEachStepIsSaid(t *testing.T) {
	text, err := os.ReadFile("steps.go")
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, s := range steps {
		there[strings.TrimPrefix(fmt.Sprintf("%T", s), "*recipe.")] = true
		if _, attach := s.(*Attach); !attach && Show(s, func(ast.Expr) string { return "a" }) == "unknown" {
			t.Errorf("%T has no words (Show)", s)
		}
	}
	for _, method := range regexp.MustCompile(`(?m)^func \((?:\w+ )?\*(\w+)\) expressions\(`).FindAllStringSubmatch(string(text), -1) {
		if !there[method[1]] {
			t.Errorf("%s is not among the steps of this test", method[1])
		}
	}
}
