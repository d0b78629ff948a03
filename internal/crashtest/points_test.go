package crashtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tunic/internal/sandbox"
)

// point is a crash point and how it comes to be passed.
type point struct {
	name string
	// kind is a kind of definition that passes it; "" for any.
	kind string
	// behind is a point at which a tunic has to be killed first: this one is passed by who
	// recovers what that has left.
	behind string
}

// ways are the points that not every definition passes, by what their names begin with.
var ways = []point{
	{name: "ddl.adopt.", kind: conversionKind},
	{name: "ddl.ahead", kind: columnKind},
	{name: "ddl.aside", kind: columnKind},
	{name: "ddl.bare.", kind: conversionKind},
	{name: "ddl.swap.", kind: conversionKind},
	{name: "ddl.fence.", kind: conversionKind},
	{name: "ddl.backfill.added", kind: columnKind},
	{name: "ddl.backfill.", kind: typeKind},
	{name: "ddl.forsak", kind: columnKind, behind: "ddl.backfill.begun"},
	{name: "ddl.made.", kind: madeKind},
	{name: "ddl.online.", kind: jobKind},
	{name: "ddl.purge.", kind: conversionKind},
	{name: "ddl.reseal.", kind: heapKind},
	{name: "ddl.twin.made", kind: madeKind},
	{name: "ddl.twin.changed", kind: columnKind},
	{name: "jobs.", kind: jobKind},
	{name: "ddl.succeed.", kind: rotationKind},
	{name: "layers.chunk.", kind: columnKind},
	{name: "layers.renewal.", kind: rotationKind},
	{name: "ledger.rekey.", kind: rotationKind},
	{name: "ledger.taken", kind: columnKind, behind: "ledger.known"},
	{name: "ledger.unfinished.", kind: madeKind, behind: "ddl.made.empty"},
	{name: "migrate.", kind: conversionKind},
	{name: "rotation.", kind: rotationKind},
}

// points reads the crash points out of the sources.
func points(t *testing.T) (all []point) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(sandbox.Root(), "internal"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		names, err := pointsOf(path)
		for _, name := range names {
			all = append(all, pointNamed(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b point) int { return strings.Compare(a.name, b.name) })
	return slices.Compact(all)
}

func pointNamed(name string) point {
	for _, w := range ways {
		if strings.HasPrefix(name, w.name) {
			return point{name, w.kind, w.behind}
		}
	}
	return point{name: name}
}

// pointsOf are the points of a file.
func pointsOf(path string) (names []string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		of, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || of.Sel.Name != "Point" {
			return true
		}
		if room, ok := of.X.(*ast.Ident); !ok || room.Name != "crash" {
			return true
		}
		name, isLiteral := call.Args[0].(*ast.BasicLit)
		if !isLiteral {
			err = fmt.Errorf("%s: a crash point without a name of its own", path)
			return false
		}
		text, _ := strconv.Unquote(name.Value)
		names = append(names, text)
		return true
	})
	return names, err
}

// TestPointsAreFound: the points are those of the sources, each of them in one room, under
// its name.
func TestPointsAreFound(t *testing.T) {
	all := points(t)
	for _, want := range []string{"ledger.announced", "layers.chunk.committed", "ddl.altered"} {
		if !slices.ContainsFunc(all, func(p point) bool { return p.name == want }) {
			t.Errorf("%s is not among %v", want, all)
		}
	}
	for _, w := range ways {
		if !slices.ContainsFunc(all, func(p point) bool { return strings.HasPrefix(p.name, w.name) }) {
			t.Errorf("no point begins with %s any more", w.name)
		}
	}
}
