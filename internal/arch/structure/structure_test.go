package structure

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/structure.txt anew")

// TestStructure: in no package does the part that is one cycle of files grow beyond what is on record.
func TestStructure(t *testing.T) {
	if testing.Short() {
		t.Skip("-short; it type-checks every package")
	}
	packages, used, hands, err := Measure("../../..", "./internal/...", "./cmd/...")
	if err != nil {
		t.Fatal(err)
	}
	uses(t, packages, used)
	storedNames(t, hands)
	if *rewrite {
		if err := os.WriteFile("testdata/structure.txt", table(packages), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	recorded, err := os.ReadFile("testdata/structure.txt")
	if err != nil {
		t.Fatal(err)
	}
	allowed := read(t, recorded)
	for _, p := range packages {
		if p.Share() > allowed[p.Path] {
			t.Errorf("%s: %d files with %d%% of its lines are one cycle, and %d%% are on record: let the new code not need what needs it; or, if a package was split, run with -rewrite", p.Path, p.CycleFiles, p.Share(), allowed[p.Path])
		}
	}
	t.Logf("\n%s", table(packages))
	t.Logf("\n%s", Picture(packages))
}

// uses holds that each setting is read, that each error is raised, and that each number to watch is counted, by another
// package than the one that has them: there is nothing that does nothing.
func uses(t *testing.T, packages []Package, used Used) {
	t.Helper()
	for i := range packages {
		p := &packages[i]
		var all []string
		switch p.Path {
		case "internal/config":
			all = slices.DeleteFunc(p.Fields("Config"), func(name string) bool {
				return strings.HasSuffix(name, ".Service.PasswordFile") // the package reads the file itself
			})
		case "internal/sqlerr":
			all = p.Functions()
		case "internal/metrics":
			all = slices.Concat(p.Fields("Metrics"), p.Functions(), p.Constants())
		default:
			continue
		}
		if len(all) < 20 {
			t.Errorf("%s: %d names are looked for", p.Path, len(all))
		}
		for _, name := range all {
			if !used[name] {
				t.Errorf("%s is used by no other package", name)
			}
		}
	}
}

// logical are the functions that quote the name of a column of the catalog in a text over what an application sees.
var logical = []string{
	"tunic/internal/ddl/account.ChecksOf",       // CHECKs as the definition has them
	"tunic/internal/ddl/alteration.Change.goOn", // the definition
	"tunic/internal/ddl/viewtext.StoredOver",    // the columns of a view
	"tunic/internal/description.OfTwin",         // a query over the twin
	"tunic/internal/plan/build.inspector.set",   // told by EXPLAIN
	"tunic/internal/plan/explanation.Written",   // told by EXPLAIN
}

// storedNames holds that a text for the server names stored columns by catalog.Column.Stored: what a column is called is
// not where its values are.
func storedNames(t *testing.T, hands FieldArguments) {
	t.Helper()
	found := map[string]bool{}
	for _, by := range hands[FieldArgument{"tunic/internal/catalog.Column.Name", "tunic/internal/identifier.Quoted"}] {
		if found[by] = true; !slices.Contains(logical, by) {
			t.Errorf("%s quotes the name of a column, and not that of the stored one: ask Stored, or, if the text is over logical columns, add it to logical", by)
		}
	}
	for _, name := range logical {
		if !found[name] {
			t.Errorf("%s quotes no name of a column", name)
		}
	}
}

// table prints packages, those with the most lines first.
func table(packages []Package) []byte {
	sorted := slices.Clone(packages)
	slices.SortStableFunc(sorted, func(a, b Package) int { return b.Lines - a.Lines })
	var b bytes.Buffer
	fmt.Fprintf(&b, "%-32s %5s %6s %6s  %-24s %s\n", "# package", "files", "lines", "cycle", "largest type", "methods")
	for _, p := range sorted {
		fmt.Fprintf(&b, "%-32s %5d %6d %5d%%  %-24s %d\n", p.Path, p.Files, p.Lines, p.Share(), p.Largest, p.Methods)
	}
	return b.Bytes()
}

// read returns the share of each package in such a table.
func read(t *testing.T, text []byte) map[string]int {
	t.Helper()
	shares := map[string]int{}
	for line := range bytes.Lines(text) {
		var path string
		var files, lines, share int
		if line[0] == '#' {
			continue
		}
		if _, err := fmt.Sscanf(string(line), "%s %d %d %d%%", &path, &files, &lines, &share); err != nil {
			t.Fatalf("testdata/structure.txt: %v: %s", err, line)
		}
		shares[path] = share
	}
	return shares
}

// TestMeasure measures a package with a cycle of two files that a third refers to.
func TestMeasure(t *testing.T) {
	got, _, hands, err := Measure("testdata/house", "./...")
	if err != nil {
		t.Fatal(err)
	}
	want := []Package{{Path: "room", Files: 3, Lines: 24, CycleFiles: 2, CycleLines: 17, Largest: "lamp", Methods: 2}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Package{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(FieldArguments{{"house/room.lamp.on", "house/room.toggled"}: {"house/room.lamp.press"}}, hands); diff != "" {
		t.Error(diff)
	}
}

// TestPicture: a package stands above all that it imports, and the largest of a floor come first.
func TestPicture(t *testing.T) {
	got := Picture([]Package{
		{Path: "cmd/lamp", Lines: 100, Imports: []string{"internal/light", "internal/wire"}},
		{Path: "internal/light", Lines: 1840, CycleLines: 920, Imports: []string{"internal/wire"}},
		{Path: "internal/wire", Lines: 300, CycleLines: 75},
		{Path: "internal/glass", Lines: 2000},
	})
	want := "2  cmd/lamp 0.1\n1  light 1.8/50%\n0  glass 2.0  wire 0.3/25%\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestComponents(t *testing.T) {
	for _, c := range []struct {
		of   [][]int
		want [][]int
	}{
		{nil, nil},
		{[][]int{{0}}, [][]int{{0}}},
		{[][]int{{1}, {2}, {}}, [][]int{{2}, {1}, {0}}},
		{[][]int{{1}, {2}, {0}}, [][]int{{0, 1, 2}}},
		{[][]int{{1, 3}, {2}, {1}, {0}}, [][]int{{1, 2}, {0, 3}}},
	} {
		if diff := cmp.Diff(c.want, components(c.of)); diff != "" {
			t.Errorf("%v: %s", c.of, diff)
		}
	}
}

// TestPath: the functions of the path that ARCHITECTURE.md tells are there, and each is called by one before it.
func TestPath(t *testing.T) {
	if testing.Short() {
		t.Skip("-short; it type-checks the packages of the path")
	}
	document, err := os.ReadFile("../../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	steps, err := ReadPath(string(document))
	if err != nil {
		t.Fatal(err)
	}
	broken, err := Broken("../../..", steps)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range broken {
		t.Errorf("%s %s is not there, or no function before it calls it: tell the path in ARCHITECTURE.md as it is", s.Package, s.Func)
	}
	if len(steps) < 12 {
		t.Errorf("only %d steps", len(steps))
	}
}
