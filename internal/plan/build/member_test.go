package build

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestMembersNamed: where no fence is named, what a statement reads or writes of a family names its members in the stored
// statement, and what tunic reads of it by itself is not named.
func TestMembersNamed(t *testing.T) {
	c := fencedTables(t).WithoutFences(2)
	datadriven.Walk(t, "testdata/members", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(_ *testing.T, d *datadriven.TestData) string {
			r, err := buildText(c, d.Input)
			if err != nil {
				return err.Error()
			}
			var stored []string
			for line := range strings.SplitSeq(r.String(), "\n") {
				if m := storedLine.FindStringSubmatch(line); m != nil {
					stored = append(stored, m[1])
				}
			}
			return strings.Join(stored, "\n")
		})
	})
}
