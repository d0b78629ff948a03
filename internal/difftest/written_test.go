package difftest

import (
	"maps"
	"path/filepath"
	"testing"
)

// What the written corpus has to have: so many different statements, of which tunic
// refuses so few.
const (
	writtenMin        = 3000
	writtenRefusedMax = 3 // of a hundred
)

// TestWrittenCorpus counts the written statements, and holds what is refused of them
// under each policy, in each way, against their number.
func TestWrittenCorpus(t *testing.T) {
	allowed, err := LoadAllowance(allowanceFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, flavor := range flavors {
		texts := map[string]bool{}
		for _, folder := range []string{"corpus", "protected"} {
			scripts, err := LoadCorpus(filepath.Join("testdata", folder))
			if err != nil {
				t.Fatal(err)
			}
			found := distinct(scripts, flavor)
			t.Logf("%s: %d distinct statements in testdata/%s", flavor, len(found), folder)
			maps.Copy(texts, found)
		}
		if len(texts) < writtenMin {
			t.Errorf("%s: %d distinct statements, there are to be %d", flavor, len(texts), writtenMin)
		}
		for name, refused := range allowed.ofPlain(flavor) {
			t.Logf("%s: %d refused that touch only plain tables", name, refused)
			if refused > 0 {
				t.Errorf("%s: statements that touch only plain tables may not be refused", name)
			}
		}
		for name, refused := range allowed.byRun(flavor) {
			t.Logf("%s: %d refused of %d (%.1f %%)", name, refused, len(texts), 100*float64(refused)/float64(len(texts)))
			if 100*refused > writtenRefusedMax*len(texts) {
				t.Errorf("%s: %d of %d statements are refused, more than %d %%", name, refused, len(texts), writtenRefusedMax)
			}
		}
	}
}

// ofPlain are the refusals that are allowed of a flavor in the corpus of plain tables,
// which TestPlainBesideProtected holds the corpus against.
func (a Allowance) ofPlain(flavor string) map[string]int {
	sums := map[string]int{flavor + " " + besides.Name + " text": 0}
	for r, n := range a {
		if r.Flavor == flavor && r.Policy == besides.Name {
			sums[r.Flavor+" "+r.Policy+" "+r.Config] += n
		}
	}
	return sums
}

// byRun are the refusals of a flavor by policy and configuration, without the steps
// that were not refused but tell nothing.
func (a Allowance) byRun(flavor string) map[string]int {
	sums := map[string]int{}
	for r, n := range a {
		if r.Flavor == flavor && r.Policy != besides.Name && r.Code != hollow {
			sums[r.Flavor+" "+r.Policy+" "+r.Config] += n
		}
	}
	return sums
}
