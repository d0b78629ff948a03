package audit

import (
	"strings"
	"testing"
)

// movedReads are statements that open forms of table c, whose key is in its family.
var movedReads = []struct {
	text string
	args []any // of a prepared statement
}{
	{text: "SELECT note FROM shop.c"},
	{text: "SELECT note FROM shop.c WHERE id = 1"},
	{text: "SELECT note FROM shop.c WHERE id = ?", args: []any{1}},
	{text: "SELECT note FROM shop.c WHERE id IN (?, ?)", args: []any{1, 2}},
	{text: "SELECT note FROM shop.c WHERE id = 1 AND code = 'A' FOR UPDATE"},
	{text: "SELECT note FROM shop.c WHERE note LIKE '%s%' ORDER BY note LIMIT 1"},
	{text: "SELECT (SELECT note FROM shop.c WHERE id = 1)"},
	{text: "SELECT x.note FROM (SELECT * FROM shop.c) x WHERE x.id = 1"},
	{text: "SELECT note FROM shop.v"},
	{text: "SELECT note FROM shop.d UNION SELECT note FROM shop.c"},
	{text: "WITH r AS (SELECT note FROM shop.c) SELECT COUNT(note) FROM r"},
	{text: "SELECT d.note FROM shop.d LEFT JOIN shop.c ON c.id = d.id AND c.code = d.code WHERE c.note <> 'x'"},
	{text: "UPDATE shop.c SET note = 'x' WHERE id = 1"},
	{text: "UPDATE shop.c SET note = CONCAT(note, ?) WHERE n = 1", args: []any{"y"}},
	{text: "UPDATE shop.c SET note = 'x' WHERE id = 1 AND code = 'a'"},
	{text: "UPDATE shop.c SET note = CONCAT(note, ?) WHERE id = ? AND code = ?", args: []any{"y", 1, "a"}},
	{text: "UPDATE shop.c JOIN shop.d ON c.n = d.n SET c.note = d.note WHERE c.id = 1"},
	{text: "INSERT INTO shop.c (id, code, note) VALUES (1, 'a', 'y') ON DUPLICATE KEY UPDATE note = VALUES(note)"},
	{text: "INSERT INTO shop.c (id, code, note) SELECT id + 10, code, note FROM shop.c WHERE id = 1 AND code = 'a'"},
	{text: "REPLACE INTO shop.d (id, code, note) SELECT id, code, note FROM shop.c WHERE id = 1"},
	{text: "UPDATE shop.c SET id = id + 100 WHERE id = 1"},
	{text: "DELETE FROM shop.c WHERE note LIKE 'sec%'"},
}

// TestMovedForms: two rows exchange their forms, and statements of all kinds notice. When each has its own again they do what they say.
func TestMovedForms(t *testing.T) {
	onServers(t, func(b *bench) {
		for _, name := range []string{"c", "d"} {
			b.exec(b.tunic, "CREATE TABLE shop."+name+" (id INT COMMENT 'tunic: equality family f', code VARCHAR(9) COMMENT 'tunic: equality family f', "+
				"note VARCHAR(20) COMMENT 'tunic: sealed family f', n INT COMMENT 'tunic: plain', PRIMARY KEY (id, code))",
				"INSERT INTO shop."+name+" VALUES (1, 'a', 'first s', 1), (2, 'b', 'second', 2)")
		}
		b.exec(b.tunic, "CREATE VIEW shop.v AS SELECT * FROM shop.c")
		exchange := "UPDATE shop.c, aside.c AS o SET c.`f$form` = o.`f$form` WHERE c.n + o.n = 3"
		b.exec(b.server, "CREATE DATABASE aside", "CREATE TABLE aside.c AS SELECT * FROM shop.c", exchange)
		for _, s := range movedReads {
			if code := b.codeOf(s.text, s.args...); code != moved {
				t.Errorf("forms exchanged: %s: %q", s.text, code)
			}
		}
		if code := b.codeOf("SELECT note FROM shop.c WHERE id = 3"); code != "" {
			t.Errorf("no row: %q", code)
		}
		b.exec(b.server, strings.Replace(exchange, "c.n + o.n = 3", "c.n = o.n", 1))
		for _, s := range movedReads {
			if code := b.codeOf(s.text, s.args...); code != "" {
				t.Errorf("%s: %q", s.text, code)
			}
		}
		if r := b.run(); !r.Good() {
			t.Errorf("%+v", r)
		}
	})
}
