package difftest

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Refused is one line of the list of refusals: how many steps of a corpus tunic
// refuses, of those that are alike.
type Refused struct{ Flavor, Policy, Config, Code, Kind string }

func (r Refused) fields() []string { return []string{r.Flavor, r.Policy, r.Config, r.Code, r.Kind} }

// hollow is the code under which steps are counted that were not refused, but tell
// nothing: the plain server answers them with an error that the corpus does not
// expect, because a statement before them was refused.
const hollow = "hollow"

// Allowance is how many steps tunic may refuse. testdata/refusals.txt has it, one
// line for each [Refused] with its count behind it.
type Allowance map[Refused]int

// LoadAllowance reads the file.
func LoadAllowance(file string) (Allowance, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return ParseAllowance(file, string(text))
}

// ParseAllowance reads lines of tab-separated fields. Lines that are empty or start
// with # do not count.
func ParseAllowance(file, text string) (Allowance, error) {
	a := Allowance{}
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		words := strings.Split(line, "\t")
		if len(words) != 6 {
			return nil, fmt.Errorf("%s:%d: want flavor, policy, configuration, code, kind and a count between tabs", file, i+1)
		}
		n, err := strconv.Atoi(words[5])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: count: %w", file, i+1, err)
		}
		a[Refused{words[0], words[1], words[2], words[3], words[4]}] += n
	}
	return a, nil
}

// allowanceHead is the beginning of the file.
const allowanceHead = `# How many steps of testdata/protected tunic refuses, by server, policy,
# configuration, code and kind of statement. "hollow" are steps that the plain
# server answers with an error because of a refusal before them. Made by
#
#	go test ./internal/difftest -run TestProtected -rewrite
#
# The numbers may fall, and are to. One that rises is a failure.
`

// String is the file.
func (a Allowance) String() string {
	var b strings.Builder
	b.WriteString(allowanceHead)
	for _, r := range a.sorted() {
		fmt.Fprintf(&b, "%s\t%d\n", strings.Join(r.fields(), "\t"), a[r])
	}
	return b.String()
}

func (a Allowance) sorted() []Refused {
	return slices.SortedFunc(maps.Keys(a), func(x, y Refused) int { return slices.CompareFunc(x.fields(), y.fields(), cmp.Compare[string]) })
}

// Exceeded says where there are more than allowed, and Unused where there are fewer.
func (a Allowance) Exceeded(counted Allowance) (lines []string) {
	for _, r := range counted.sorted() {
		if counted[r] > a[r] {
			lines = append(lines, fmt.Sprintf("%s: %d, allowed are %d", strings.Join(r.fields(), " "), counted[r], a[r]))
		}
	}
	return lines
}

// Unused says what is allowed and does not occur among what was counted for one
// flavor, policy and configuration.
func (a Allowance) Unused(counted Allowance, flavor, policy, config string) (lines []string) {
	for _, r := range a.sorted() {
		if r.Flavor == flavor && r.Policy == policy && r.Config == config && counted[r] < a[r] {
			lines = append(lines, fmt.Sprintf("%s: allowed are %d, there are %d", strings.Join(r.fields(), " "), a[r], counted[r]))
		}
	}
	return lines
}

// Replace puts what was counted for one flavor, policy and configuration in the
// place of what was allowed.
func (a Allowance) Replace(counted Allowance, flavor, policy, config string) {
	maps.DeleteFunc(a, func(r Refused, _ int) bool {
		return r.Flavor == flavor && r.Policy == policy && r.Config == config
	})
	maps.Copy(a, counted)
}
