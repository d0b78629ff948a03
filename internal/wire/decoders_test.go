package wire_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"testing"
)

// TestEachDecoderIsFuzzed: each function of the package that decodes a message is named in a fuzz target.
func TestEachDecoderIsFuzzed(t *testing.T) {
	decoders, fuzzed := map[string]bool{}, map[string]bool{}
	packages, err := parser.ParseDir(token.NewFileSet(), ".", func(i fs.FileInfo) bool {
		return !strings.HasSuffix(i.Name(), "_test.go") || strings.HasPrefix(i.Name(), "fuzz_")
	}, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range packages {
		ast.Inspect(p, func(n ast.Node) bool {
			f, ok := n.(*ast.FuncDecl)
			switch {
			case ok && name == "wire" && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Decode"):
				decoders[f.Name.Name] = true
			case ok && name == "wire_test" && strings.HasPrefix(f.Name.Name, "Fuzz"):
				ast.Inspect(f, func(n ast.Node) bool {
					if s, ok := n.(*ast.SelectorExpr); ok {
						fuzzed[s.Sel.Name] = true
					}
					return true
				})
			}
			return true
		})
	}
	if len(decoders) < 10 {
		t.Fatalf("%d decoders are there", len(decoders))
	}
	for name := range decoders {
		if !fuzzed[name] {
			t.Errorf("no fuzz target has wire.%s", name)
		}
	}
}
