package eval

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"tunic/internal/eval/supported"
	"tunic/internal/value"
)

// writeSupported writes the list. Of an operation that was not measured it keeps
// what the file has by now.
func writeSupported(t *testing.T, found map[supported.Key]bool) {
	if t.Failed() {
		return
	}
	list, err := os.ReadFile("supported/supported.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for k := range supported.Read(string(list)) {
		if *operation != "" && !isChosen(k.Operation) {
			found[k] = true
		}
	}
	lines := map[[2]string]*[3][]string{}
	for _, k := range slices.SortedFunc(maps.Keys(found), compareKeys) {
		first, last := splitOperands(k.Operands)
		at := [2]string{k.Operation, first}
		if lines[at] == nil {
			lines[at] = &[3][]string{}
		}
		other := k
		if other.Flavor = value.MariaDB; k.Flavor == value.MariaDB {
			other.Flavor = value.MySQL
		}
		switch both := found[other]; {
		case both && k.Flavor == value.MariaDB:
			lines[at][0] = append(lines[at][0], last)
		case both:
		case k.Flavor == value.MariaDB:
			lines[at][1] = append(lines[at][1], last)
		default:
			lines[at][2] = append(lines[at][2], last)
		}
	}
	var out strings.Builder
	for _, at := range slices.SortedFunc(maps.Keys(lines), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		l := lines[at]
		fmt.Fprintf(&out, "%s\t%s\t%s\t%s\t%s\n", at[0], at[1], strings.Join(l[0], " "), strings.Join(l[1], " "), strings.Join(l[2], " "))
	}
	if err := os.WriteFile("supported/supported.tsv", []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// isChosen reports whether -operation names the operation, or the first word of
// its name.
func isChosen(name string) bool {
	first, _, _ := strings.Cut(name, " ")
	return slices.ContainsFunc(strings.Split(*operation, ","), func(s string) bool { return s == name || s == first })
}

func compareKeys(a, b supported.Key) int {
	return strings.Compare(a.Operation+"\t"+a.Operands, b.Operation+"\t"+b.Operands)
}

func splitOperands(operands string) (first, last string) {
	i := strings.LastIndex(operands, ", ")
	if i < 0 {
		return "", operands
	}
	return operands[:i], operands[i+2:]
}
