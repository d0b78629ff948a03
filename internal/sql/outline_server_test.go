package sql

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/sql/lex"
	"tunic/internal/sql/outline"
)

var (
	typos    = flag.Int("typos", 2, "typos to try in each statement")
	typoSeed = flag.Uint64("typo-seed", 1, "seed of the typos")
)

// TestOutlinePlaces: where a server stops reading an outline is where it stops reading the text, in
// statements with a random typo. A place may be unknown, and must not be another one.
func TestOutlinePlaces(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			r := newServerRun(t, sandboxtest.Own(t, flavor, sandboxtest.Volatile))
			r.keywordsKnown(t)
			r.mustExec(t, "SET NAMES utf8mb4", "CREATE DATABASE typos", "USE typos")
			random := rand.New(rand.NewPCG(*typoSeed, 0))
			wrong, placed := 0, 0
			for _, file := range []string{"queries", "changes", "definitions"} {
				for _, line := range statementsOf(t, "testdata/statements/"+file+".sql") {
					for range *typos {
						text := mistype(random, line, r.modes)
						said := r.prepares(t, text)
						if said == nil || said.Number != 1064 {
							continue
						}
						wrong++
						if r.place(t, text, said.Message) {
							placed++
						}
					}
				}
			}
			t.Logf("%d of %d mistakes have their place", placed, wrong)
			if wrong < 200 || placed < wrong*9/10 {
				t.Errorf("too few: %d of %d", placed, wrong)
			}
		})
	}
}

// place compares where the server stops in a text and in its outline; false if the latter is not known.
func (r *serverRun) place(t *testing.T, text, plain string) bool {
	t.Helper()
	o, ok := outline.New([]byte(text), r.modes, true)
	if !ok {
		return false
	}
	said := r.prepares(t, string(o.Text))
	if said == nil {
		t.Errorf("the server prepares %q", o.Text)
		return false
	}
	if said.Number != 1064 {
		return false
	}
	stopped, ok := o.Where(said.Message, r.modes)
	if !ok {
		return false
	}
	near := fmt.Sprintf("near '%s", text[stopped.At:min(len(text), stopped.At+70)])
	end := fmt.Sprintf("at line %d", stopped.Line)
	if stopped.Whole || !strings.Contains(plain, near) || !strings.HasSuffix(plain, end) {
		t.Errorf("%s\n%s\n%s … %s, whole %t", text, plain, near, end, stopped.Whole)
	}
	return true
}

// prepares is the server's error for a text; nil if it reads it.
func (r *serverRun) prepares(t *testing.T, text string) *mysql.MySQLError {
	t.Helper()
	_, err := r.conn.ExecContext(t.Context(), "PREPARE p FROM "+string(AppendString(nil, []byte(text), r.modes)))
	said, ok := errors.AsType[*mysql.MySQLError](err)
	if err != nil && !ok {
		t.Fatal(err)
	}
	return said
}

// mistype makes a mistake in a text: a token is gone, twice there, in another's place, or has another letter; a
// gap is several lines.
func mistype(random *rand.Rand, text string, m Modes) string {
	var tokens []string
	var lx lex.Lexer
	lx.Reset([]byte(text), m)
	for t := lx.Next(); t > lex.Error; t = lx.Next() {
		gap := text[lx.Gap:lx.From]
		if gap == " " && random.IntN(8) == 0 {
			gap = "\n \n"
		}
		tokens = append(tokens, gap, string(lx.Value()))
	}
	if len(tokens) < 4 {
		return text
	}
	pick := func() int { return 1 + 2*random.IntN(len(tokens)/2) }
	i, j := pick(), pick()
	switch random.IntN(5) {
	case 0:
		tokens[i] = ""
	case 1:
		tokens[i] += " " + tokens[i]
	case 2:
		tokens[i], tokens[j] = tokens[j], tokens[i]
	case 3:
		tokens[i] = []string{"(", ")", ",", "x", "select", "'s'", "5", "\n", "/* a\nb */", "= ="}[random.IntN(10)]
	default:
		b := []byte(tokens[i])
		b[random.IntN(len(b))] = "abcdefghijklmnopqrstuvwxyz"[random.IntN(26)]
		tokens[i] = string(b)
	}
	return strings.TrimSpace(string(bytes.TrimRight([]byte(strings.Join(tokens, "")), "; \n")))
}
