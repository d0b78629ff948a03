package recipe

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"tunic/internal/sql/ast"
)

// steps are one of each.
var steps = []Step{
	&Filter{Where: column("a")}, &Group{}, &Having{Where: column("a")}, &Window{},
	&Project{Items: []Item{{Expr: column("a")}}}, &Distinct{}, &Sort{By: []Key{{Expr: column("a")}}},
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

// TestEachFlagIsSaid: each field of a step that is true or false changes its words, or two plans would look alike.
func TestEachFlagIsSaid(t *testing.T) {
	found := 0
	for _, s := range steps {
		show := func() string { return Show(s, func(ast.Expr) string { return "a" }) }
		var look func(path string, v reflect.Value)
		look = func(path string, v reflect.Value) {
			switch {
			case v.Kind() == reflect.Bool:
				found++
				without := show()
				v.SetBool(true)
				if show() == without {
					t.Errorf("%s is not said (Show)", path)
				}
				v.SetBool(false)
			case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
				if v.Len() == 0 {
					t.Fatalf("%s: give it one", path)
				}
				look(path, v.Index(0))
			case v.Kind() == reflect.Struct:
				for i := range v.NumField() {
					look(path+"."+v.Type().Field(i).Name, v.Field(i))
				}
			}
		}
		if _, attach := s.(*Attach); !attach {
			look(fmt.Sprintf("%T", s), reflect.ValueOf(s).Elem())
		}
	}
	if found < 3 {
		t.Errorf("%d fields are looked at", found)
	}
}
