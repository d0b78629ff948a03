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
// value that it is about, NAMED for that of a value with a token, and REST for all that a row has but its key.
type cellAttack struct {
	what, done           string
	apart, family, keyed notices
}

var everywhere = notices{unopened, unopened, true}

// cellAttacks are the lines of the table in docs/security.md. Of a row in a family the form is of all values, with a key in it
// of those also.
var cellAttacks = []cellAttack{
	{"a form of another row", "UPDATE c, c AS o SET c.FORM = o.FORM WHERE c.n = 1 AND o.n = 2", notices{}, notices{found: moved, verify: true}, notices{moved, moved, true}},
	{"forms exchanged", "UPDATE c, kept.now AS o SET c.FORM = o.FORM WHERE c.n + o.n = 3", notices{}, notices{found: moved, verify: true}, notices{moved, moved, true}},
	{"a form and the tokens of another row", "UPDATE c, c AS o SET c.NAMED = o.NAMED, c.`name$eq` = o.`name$eq` WHERE c.n = 1 AND o.n = 2", notices{}, notices{}, notices{moved, moved, true}},
	{"a form of before", "UPDATE c, kept.c AS o SET c.FORM = o.FORM WHERE c.n = 1 AND o.n = 1", notices{}, notices{found: moved, verify: true}, notices{found: moved, verify: true}},
	{"another one but for the key", "UPDATE c, c AS o SET REST WHERE c.n = 1 AND o.n = 2", notices{}, notices{}, notices{moved, moved, true}},
	{"a whole row of before", "REPLACE INTO c SELECT * FROM kept.c WHERE n = 1", notices{}, notices{}, notices{}},
	{"no form", "UPDATE c SET FORM = NONE WHERE n = 1", notices{}, everywhere, everywhere},
	{"a form of another column or family", "UPDATE c SET FORM = OTHER WHERE n = 1", everywhere, everywhere, everywhere},
	{"a form of another table", "UPDATE c, d SET c.FORM = d.FORM WHERE c.n = 1 AND d.n = 1", everywhere, everywhere, everywhere},
	{"a changed form", "UPDATE c SET FORM = INSERT(FORM, 20, 1, CHAR(ASCII(SUBSTR(FORM, 20, 1)) ^ 1)) WHERE n = 1", everywhere, everywhere, everywhere},
	{"a token of another row", "UPDATE c, c AS o SET c.`name$eq` = o.`name$eq` WHERE c.n = 2 AND o.n = 1", notices{found: moved, verify: true}, notices{found: moved, verify: true}, notices{found: moved, verify: true}},
	{"no token", "UPDATE c SET `name$eq` = NULL WHERE n = 1", notices{verify: true}, notices{verify: true}, notices{verify: true}},
	{"a row deleted", "DELETE FROM c WHERE n = 1", notices{}, notices{}, notices{}},
}

// cellTable is how the columns of the tables are sealed.
type cellTable struct {
	name          string
	key           string // the annotation of id
	own, other    string // what the annotations of the others say
	form, instead string // the stored column of note, and another one
	named         string // that of name
	found         string // what is read of a row that is found by its name
	none, rest    string
	of            func(*cellAttack) notices
}

const restOfFamilies = "c.`name$eq` = o.`name$eq`, c.`f$form` = o.`f$form`, c.`g$form` = o.`g$form`"

var cellTables = []cellTable{
	{
		"apart", "plain", "apart", "apart", "`note`", "`name`", "`name`", "*", "NULL",
		"c.`name` = o.`name`, c.`name$eq` = o.`name$eq`, c.`note` = o.`note`, c.`amount` = o.`amount`", func(a *cellAttack) notices { return a.apart },
	},
	{"family", "plain", "family f", "family g", "`f$form`", "`g$form`", "`f$form`", "note", "REPEAT(CHAR(1), 60)", restOfFamilies, func(a *cellAttack) notices { return a.family }},
	{"keyed", "equality family f", "family f", "family g", "`f$form`", "`g$form`", "`f$form`", "note", "REPEAT(CHAR(1), 60)", restOfFamilies, func(a *cellAttack) notices { return a.keyed }},
}

// make makes the tables of an attack.
func (t *cellTable) make(b *bench) {
	b.exec(b.tunic, "DROP TABLE IF EXISTS shop.c, shop.d")
	for _, name := range []string{"c", "d"} {
		b.exec(b.tunic, "CREATE TABLE shop."+name+" (id INT PRIMARY KEY COMMENT 'tunic: "+t.key+"', name VARCHAR(20) COMMENT 'tunic: equality "+t.own+
			"', note VARCHAR(20) COMMENT 'tunic: sealed "+t.own+"', amount INT COMMENT 'tunic: sealed "+t.other+"', n INT COMMENT 'tunic: plain')",
			"INSERT INTO shop."+name+" VALUES (1, 'zoe', 'before', 0, 1), (2, 'bob', 'second', 2, 2)")
	}
	b.exec(b.server, "DROP TABLE IF EXISTS kept.c, kept.now", "CREATE TABLE kept.c AS SELECT * FROM shop.c")
	b.exec(b.tunic, "UPDATE shop.c SET name = 'ann', note = 'first', amount = 1 WHERE id = 1")
	b.exec(b.server, "CREATE TABLE kept.now AS SELECT * FROM shop.c")
}

// read is the code of statements that read the rows by their key, or all; there is one.
func (b *bench) read(queries ...string) string {
	b.t.Helper()
	code := b.codeOf(queries[0])
	for _, q := range queries[1:] {
		if other := b.codeOf(q); other != code {
			b.t.Errorf("%s: %q, and %q of %s", q, other, code, queries[0])
		}
	}
	return code
}

// TestCells: the owner of the server exchanges what rows hold, where columns are sealed by themselves, where they are in families, and
// where the key is in the family as well.
func TestCells(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.server, "CREATE DATABASE kept")
		for at := range cellTables {
			table := &cellTables[at]
			words := strings.NewReplacer("FORM", table.form, "NAMED", table.named, "NONE", table.none, "OTHER", table.instead, "REST", table.rest)
			for i := range cellAttacks {
				a := &cellAttacks[i]
				table.make(b)
				if r := b.run(); !r.Good() {
					t.Fatalf("%s, %s: before it: %+v", table.name, a.what, r)
				}
				b.exec(b.server, "USE shop", words.Replace(a.done))
				got := notices{
					read: b.read("SELECT * FROM shop.c WHERE id IN (1, 2)", "SELECT * FROM shop.c", "SELECT note FROM shop.c WHERE n < 3",
						"SELECT SUM(id), MAX(note) FROM shop.c", "SELECT c.note FROM shop.d LEFT JOIN shop.c ON c.id = d.id"),
					found:  b.codeOf("SELECT "+table.found+" FROM shop.c WHERE name = 'ann'") + b.codeOf("SELECT * FROM shop.c WHERE name = 'bob'"),
					verify: !b.run().Good(),
				}
				if half := got.found[:len(got.found)/2]; half+half == got.found {
					got.found = half
				}
				if want := table.of(a); got != want {
					t.Errorf("%s, %s: %+v, want %+v; docs/security.md says who notices", table.name, a.what, got, want)
				}
			}
		}
	})
}

// codeOf is tunic's code of the error of a query, "" if it has an answer.
func (b *bench) codeOf(query string, args ...any) string {
	b.t.Helper()
	rows, err := b.tunic.QueryContext(b.t.Context(), query, args...)
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
