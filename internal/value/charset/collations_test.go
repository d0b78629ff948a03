package charset

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestCollations compares every collation with the server that has it. What it
// finds is collations.tsv; -rewrite writes it. Without -all it weighs every
// eleventh character, and believes what is said to be wrong.
func TestCollations(t *testing.T) {
	for _, o := range oracles(t) {
		t.Run(o.flavor.String(), func(t *testing.T) {
			lines := o.judgeAll(t)
			if *rewrite {
				rewriteLines(t, "collations.tsv", o.flavor, lines)
				return
			}
			compareLines(t, collationsTSV, o.flavor, lines)
		})
	}
}

// judgeAll returns the lines of collations.tsv for the server.
func (o *oracle) judgeAll(t *testing.T) []string {
	t.Helper()
	lines := o.listCollations(t)
	fresh := readCollations(strings.Join(lines, "\texact\n") + "\texact\n")[o.flavor]
	for _, set := range fresh.charsets {
		var members []*Collation
		for _, c := range fresh.collations {
			if c.Charset == set {
				members = append(members, c.ready())
			}
		}
		o.judgeSet(t, set, members)
	}
	for i, line := range lines {
		verdict := "exact"
		if c := fresh.collations[strings.Split(line, "\t")[2]]; !c.exact {
			verdict = c.reason
		}
		lines[i] = line + "\t" + verdict
	}
	return lines
}

// judgeSet compares the collations of one character set, and leaves in them
// what came out.
func (o *oracle) judgeSet(t *testing.T, set *Charset, members []*Collation) {
	t.Helper()
	step, count := 11, 2000
	if *all || *rewrite {
		step, count = 1, 20000
	}
	chars := characters(set, step)
	if len(chars) == 0 {
		for _, c := range members {
			c.exact, c.reason = false, "no tables"
		}
		return
	}
	compared := pairs(set, chars, count)
	o.fill(t, "chars", set, []string{"c"}, columnOf(chars))
	o.fill(t, "pairs", set, []string{"a", "b"}, compared)
	for _, c := range members {
		c.reason = o.judge(t, c, chars, compared)
		c.exact = c.reason == ""
	}
}

// judge returns what is not exact about c, "" if nothing was found.
func (o *oracle) judge(t *testing.T, c *Collation, chars [][]byte, compared [][][]byte) string {
	t.Helper()
	if known, ok := Lookup(c.Flavor, c.Name); ok && !known.exact && !*all && !*rewrite {
		return known.reason
	}
	if c.weigher == nil {
		return "no tables"
	}
	if diff := o.judgeWeights(t, c, chars); diff != "" {
		return diff
	}
	return o.judgePairs(t, c, compared)
}

// judgeWeights compares the order of single characters with that of the
// server's weight strings.
func (o *oracle) judgeWeights(t *testing.T, c *Collation, chars [][]byte) string {
	t.Helper()
	theirs := make([][]byte, len(chars))
	for _, r := range o.rows(t, "SELECT id, WEIGHT_STRING(c COLLATE `"+c.Name+"`) FROM chars") {
		id, _ := strconv.Atoi(string(r[0]))
		theirs[id] = r[1]
	}
	space := o.rows(t, fmt.Sprintf("SELECT WEIGHT_STRING(CONVERT(' ' USING %s) COLLATE `%s`)", c.Charset.Name, c.Name))[0][0]
	order := &Collation{PadSpace: c.PadSpace, space: space}
	ours := make([][]byte, len(chars))
	at := make([]int, len(chars))
	for i, char := range chars {
		at[i] = i
		ours[i] = c.appendCanonical(nil, char)
		if c.PadSpace {
			theirs[i] = trimSpace(theirs[i], space)
		}
	}
	slices.SortStableFunc(at, func(i, j int) int { return order.CompareWeights(theirs[i], theirs[j]) })
	var wrong [][]byte
	for k := 1; k < len(at); k++ {
		i, j := at[k-1], at[k]
		if order.CompareWeights(theirs[i], theirs[j]) != c.CompareWeights(ours[i], ours[j]) {
			wrong = append(wrong, chars[j])
		}
	}
	if len(wrong) == 0 {
		return ""
	}
	slices.SortFunc(wrong, bytes.Compare)
	return fmt.Sprintf("weights differ at %d of %d characters, first x'%x'", len(wrong), len(chars), wrong[0])
}

// judgePairs compares strings as the server does.
func (o *oracle) judgePairs(t *testing.T, c *Collation, compared [][][]byte) string {
	t.Helper()
	wrong, first := 0, -1
	for _, r := range o.rows(t, "SELECT id, STRCMP(a COLLATE `"+c.Name+"`, b COLLATE `"+c.Name+"`) FROM pairs") {
		id, _ := strconv.Atoi(string(r[0]))
		theirs, _ := strconv.Atoi(string(r[1]))
		if c.compare(compared[id][0], compared[id][1]) != theirs {
			if wrong++; first < 0 || id < first {
				first = id
			}
		}
	}
	if wrong == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d comparisons differ, first x'%x' with x'%x'", wrong, len(compared), compared[first][0], compared[first][1])
}
