package audit

import (
	"strings"
	"testing"
)

// notices is who notices what was done to the stored forms of a row: a statement that reads the row by its number, one that
// finds it by a token (the codes of their errors, "" for an answer), and tunic verify.
type notices struct {
	read, found string
	verify      bool
}

const (
	unopened = "TUNIC-7001"
	moved    = "TUNIC-7006"
)

// cellAttack is something that the owner of the server does to row 1 or 2, with FORM for the stored column of the
// value that it is about, and NAMED for that of a value with a token.
type cellAttack struct {
	what, done    string
	apart, family notices
}

// cellAttacks are the lines of the table in docs/security.md. Of a row in a family the form is of all values.
var cellAttacks = []cellAttack{
	{"a form of another row", "UPDATE c, c AS o SET c.FORM = o.FORM WHERE c.id = 1 AND o.id = 2", notices{}, notices{found: moved, verify: true}},
	{"a form and the tokens of another row", "UPDATE c, c AS o SET c.NAMED = o.NAMED, c.`name$eq` = o.`name$eq` WHERE c.id = 1 AND o.id = 2", notices{}, notices{}},
	{"a form of before", "UPDATE c, kept.c AS o SET c.FORM = o.FORM WHERE c.id = 1 AND o.id = 1", notices{}, notices{found: moved, verify: true}},
	{"a whole row of another one", "REPLACE INTO c SELECT ROW FROM c AS o WHERE o.id = 2", notices{}, notices{}},
	{"a whole row of before", "REPLACE INTO c SELECT * FROM kept.c WHERE id = 1", notices{}, notices{}},
	{"no form", "UPDATE c SET FORM = NONE WHERE id = 1", notices{}, notices{unopened, unopened, true}},
	{"a form of another column or family", "UPDATE c SET FORM = OTHER WHERE id = 1", notices{unopened, unopened, true}, notices{unopened, unopened, true}},
	{"a form of another table", "UPDATE c, d SET c.FORM = d.FORM WHERE c.id = 1 AND d.id = 1", notices{unopened, unopened, true}, notices{unopened, unopened, true}},
	{
		"a changed form", "UPDATE c SET FORM = INSERT(FORM, 20, 1, CHAR(ASCII(SUBSTR(FORM, 20, 1)) ^ 1)) WHERE id = 1",
		notices{unopened, unopened, true}, notices{unopened, unopened, true},
	},
	{"a token of another row", "UPDATE c, c AS o SET c.`name$eq` = o.`name$eq` WHERE c.id = 2 AND o.id = 1", notices{found: moved, verify: true}, notices{found: moved, verify: true}},
	{"no token", "UPDATE c SET `name$eq` = NULL WHERE id = 1", notices{verify: true}, notices{verify: true}},
	{"a row deleted", "DELETE FROM c WHERE id = 1", notices{}, notices{}},
}

// TestCells: the owner of the server exchanges what rows hold, where columns are sealed by themselves and where they are in families.
func TestCells(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.server, "CREATE DATABASE kept")
		for _, table := range []struct {
			name            string
			own, other      string // what the annotations say
			form, instead   string // the stored column of note, and another one
			named           string // that of name
			none, selection string
			of              func(*cellAttack) notices
		}{
			{"apart", "apart", "apart", "`note`", "`name`", "`name`", "NULL", "1, `name`, `name$eq`, `note`, `amount`", func(a *cellAttack) notices { return a.apart }},
			{"family", "family f", "family g", "`f$form`", "`g$form`", "`f$form`", "REPEAT(CHAR(1), 60)", "1, `name$eq`, `f$form`, `g$form`", func(a *cellAttack) notices { return a.family }},
		} {
			words := strings.NewReplacer("FORM", table.form, "NAMED", table.named, "NONE", table.none, "OTHER", table.instead, "ROW", table.selection)
			for i := range cellAttacks {
				a := &cellAttacks[i]
				b.exec(b.tunic, "DROP TABLE IF EXISTS shop.c, shop.d")
				for _, name := range []string{"c", "d"} {
					b.exec(b.tunic, "CREATE TABLE shop."+name+" (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(20) COMMENT 'tunic: equality "+table.own+
						"', note VARCHAR(20) COMMENT 'tunic: sealed "+table.own+"', amount INT COMMENT 'tunic: sealed "+table.other+"')",
						"INSERT INTO shop."+name+" VALUES (1, 'zoe', 'before', 0), (2, 'bob', 'second', 2)")
				}
				b.exec(b.server, "DROP TABLE IF EXISTS kept.c", "CREATE TABLE kept.c AS SELECT * FROM shop.c")
				b.exec(b.tunic, "UPDATE shop.c SET name = 'ann', note = 'first', amount = 1 WHERE id = 1")
				if r := b.run(); !r.Good() {
					t.Fatalf("%s, %s: before it: %+v", table.name, a.what, r)
				}
				b.exec(b.server, "USE shop", words.Replace(a.done))
				got := notices{
					read:   b.codeOf("SELECT * FROM shop.c WHERE id IN (1, 2)"),
					found:  b.codeOf("SELECT * FROM shop.c WHERE name = 'ann'") + b.codeOf("SELECT * FROM shop.c WHERE name = 'bob'"),
					verify: !b.run().Good(),
				}
				if got.found == unopened+unopened {
					got.found = unopened
				}
				if want := table.of(a); got != want {
					t.Errorf("%s, %s: %+v, want %+v; docs/security.md says who notices", table.name, a.what, got, want)
				}
			}
		}
	})
}

// codeOf is tunic's code of the error of a query, "" if it has an answer.
func (b *bench) codeOf(query string) string {
	b.t.Helper()
	rows, err := b.tunic.QueryContext(b.t.Context(), query)
	if err == nil {
		for rows.Next() {
		}
		err = rows.Err()
		_ = rows.Close()
	}
	if err == nil {
		return ""
	}
	code, _, told := strings.Cut(err.Error(), "TUNIC-")
	if code, _, _ = strings.Cut(err.Error()[len(code):], ":"); !told {
		b.t.Errorf("%s: %v", query, err)
	}
	return code
}
