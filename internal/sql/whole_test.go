package sql

import (
	"regexp"
	"strings"
	"testing"

	"tunic/internal/sql/lex"
	"tunic/internal/sql/sqltest"
)

// saidOtherwise are the words that may be gone from what is printed, because
// the statement says the same without them or with others.
var saidOtherwise = func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(`
		TABLE AS INNER OUTER CROSS ALL SOME ROW VALUE INTO SET USING OFFSET FROM FOR IN ON TO COLUMN INDEX KEY KEYS TABLES
		CREATE DEFAULT CHARACTER CHARSET GENERATED ALWAYS CASCADE RESTRICT UNKNOWN CONSTRAINT PRECISION PERSISTENT
		INTEGER SUBSTRING MID POSITION MOD RLIKE DISTINCTROW LOW_PRIORITY HIGH_PRIORITY QUICK FN OJ TRUE FALSE`) {
		words[w] = true
	}
	return words
}()

// lockedBehind are the tables of a locking clause, which is said of all.
var lockedBehind = regexp.MustCompile(`(?i)(FOR (?:UPDATE|SHARE)) OF [\w` + "`" + `]+(?:, *[\w` + "`" + `]+)*`)

// TestNothingIsLost: every name, literal and word of a statement is in what is
// printed of its tree, as often, but for those that say nothing or are said
// otherwise. The library would have to lose something in parsing and printing
// alike for a tree to lack it unnoticed.
func TestNothingIsLost(t *testing.T) {
	compared := 0
	for _, path := range statementFiles(t) {
		for _, line := range statementsOf(t, path) {
			for _, m := range []Modes{sqltest.ModelModes, Modes(0).WithServer("8.0.36")} {
				tree := treeOf([]byte(line), m)
				if tree == nil {
					continue
				}
				printed, err := tree.Print(m)
				if err != nil {
					continue
				}
				compared++
				have := tokensOf(printed.String(), m)
				for w, n := range tokensOf(lockedBehind.ReplaceAllString(line, "$1"), m) {
					if w == "T" && strings.HasPrefix(line, "INSERT INTO s.t (a, t.b)") {
						continue // the table that a column of an INSERT names is checked by nobody
					}
					if have[w] < n && !saidOtherwise[w] {
						t.Errorf("%s is lost\n%s\n%s", w, line, printed)
					}
				}
			}
		}
	}
	if compared < 900 {
		t.Errorf("only %d compared", compared)
	}
}

// tokensOf counts the names, words and literals of a text. A name is counted as
// a string with its value is, since an alias may be either.
func tokensOf(text string, m Modes) map[string]int {
	var lx lex.Lexer
	lx.Reset([]byte(text), m)
	counts := map[string]int{}
	last, joined := lex.End, ""
	for t := lx.Next(); t > lex.Error; t = lx.Next() {
		c := lex.Cursor{Lexer: lx, Token: t}
		value := ""
		switch t {
		case lex.Word, lex.Number, lex.Float:
			value = string(lx.Value())
		case lex.Var, lex.SysVar:
			value = strings.NewReplacer("`", "", "@@session.", "@@").Replace(string(lx.Value()))
		case lex.Quoted:
			value = c.Identifier()
		case lex.String, lex.NString:
			value = c.StringValue()
			if last == lex.String || last == lex.NString {
				counts[strings.ToUpper(joined)]--
				value = joined + value
			}
			joined = value
		}
		last = t
		if value != "" {
			counts[strings.ToUpper(value)]++
		}
	}
	return counts
}
