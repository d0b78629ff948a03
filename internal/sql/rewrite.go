package sql

import (
	"bytes"

	"tunic/internal/sql/lex"
)

// Forms that servers have and the parser library has not are respelled where
// another form says the same, or where what is left out changes when a
// statement runs and not what it does. rewrite handles the current token if it is
// of such a form; each rule is a function of its own.
//
//	form                              respelled
//	LOW_PRIORITY, HIGH_PRIORITY,      nothing: they order locks of tables in
//	QUICK after INSERT, DELETE …      engines without transactions
//	TABLE t, as any query in another  SELECT * FROM t
//	DROP TABLES, RENAME TABLES        DROP TABLE, RENAME TABLE
//	COUNT(ALL a)                      COUNT(a)
//	{fn f(x)}, {oj t JOIN u}          (f(x)), (t JOIN u)
//	a INT CHECK (a > 0) …             a INT, CHECK (a > 0) …, in CREATE TABLE
//	ADD a INT CHECK (a > 0) …         ADD a INT, ADD CHECK (a > 0) …
//	a UUID, INET4, INET6              a BINARY COLLATE …, and the type's name later
//	rank, row_number without (…)      `rank`, `row_number`, of MariaDB
//	ALTER TABLE IF EXISTS t           ALTER /*if exists*/ TABLE t
//	DROP KEY IF EXISTS k              DROP KEY `k if exists `
//	ADD IF NOT EXISTS a INT           ADD `a if not exists ` INT
//	CREATE OR REPLACE TABLE t         CREATE /*or replace*/ TABLE t
//	AS (…) PERSISTENT                 AS (…) STORED
//	DOUBLE PRECISION                  DOUBLE
//	DEFAULT uuid()                    DEFAULT (uuid()), of MariaDB
//	… RETURNING a, b                  a statement and a list of its own
//	WINDOW w AS (…), v AS (…)         WINDOW w AS (…), WINDOW v AS (…)
//	a INTERSECT b, a EXCEPT b         see rewrite_set.go
//	WITH … (SELECT …)                 WITH … SELECT …; see rewrite_with.go
//	NEXT VALUE FOR s                  nextval(`s`), of MariaDB, in what INSERT inserts
//	PREVIOUS VALUE FOR s              lastval(`s`), there as well
//	FOR UPDATE OF t, FOR SHARE OF t   FOR UPDATE, FOR SHARE; see rewrite_lock.go
func (r *respeller) rewrite(t lex.Token, value []byte) (done bool, err error) {
	r.followWindows(t, value)
	if err := r.followWith(t, value); err != nil {
		return false, err
	}
	if done, err := r.followSets(t, value); done || err != nil {
		return done, err
	}
	r.noteOperand(t, value)
	typed := r.typed
	r.typed = false
	r.followColumns(t, value)
	switch {
	case r.followLocked(t, value):
		return true, nil
	case r.optional == optionalAdded && t == lex.Open: // of several columns
		return false, ErrTreeSyntax
	case r.rewriteOptional(t, value) || r.rewriteReplace(t, value):
		return true, nil
	case typed && t == lex.Word && r.lx.Modes&MariaDB != 0 && r.ownType(value):
		return true, nil
	case t == lex.Word && r.prev != lex.Dot && r.lx.Modes&MariaDB != 0 && r.freeWord(value):
		return true, nil
	case r.brace:
		return true, r.braced(t, value)
	case t == lex.Op && value[0] == '{':
		r.brace = true
		return true, r.operator(lex.Open, []byte(" ("))
	case t == lex.Op && value[0] == '}':
		r.prev = lex.Close
		return true, r.operator(lex.Close, []byte(" )"))
	case r.refused(t, value):
		return false, ErrTreeSyntax
	case t == lex.Word && r.prev != lex.Dot:
		return r.rewriteChange(value) || r.rewriteQuery(value) || r.rewriteDefinition(value), nil
	}
	return false, nil
}

// refused says that the library would read the token, and otherwise than the
// server.
func (r *respeller) refused(t lex.Token, value []byte) bool {
	mariadb := r.lx.Modes&MariaDB != 0
	switch t {
	case lex.Quoted: // a table of that name is to the library the word DUAL
		return r.prev != lex.Dot && len(value) == len("`dual`") && lex.Is(value[1:5], "DUAL")
	case lex.Null: // MySQL has given up \N
		return !mariadb
	case lex.SysVar: // it reads @@session.x as @@x, which a global variable may be
		return r.kind.hasPlaces() && !r.bound && bytes.Contains(value, []byte(".")) && !bytes.HasPrefix(bytes.ToLower(value), []byte("@@global."))
	case lex.Op: // MariaDB has no ->
		return mariadb && value[0] == '>' && r.last() == '-'
	case lex.Word: // words that it takes for names: a function's argument, a table
		return r.prev != lex.Dot && (lex.Is(value, "GET_FORMAT") || lex.Is(value, "CURRENT_ROLE") ||
			(r.after("DELETE") && lex.Is(value, "HISTORY")) ||
			(r.after("ALL") && (lex.Is(value, "DISTINCT") || lex.Is(value, "DISTINCTROW"))) || // of which it takes the second
			(r.after("DISTINCT", "DISTINCTROW") && lex.Is(value, "ALL")))
	}
	return false
}

// instead writes text in place of the current word.
func (r *respeller) instead(text string) bool {
	r.out = append(append(r.out, ' '), text...)
	r.prev, r.prevWord = lex.Word, []byte(text)
	return true
}

// braced handles the word after {, which ODBC's escapes begin with. Those of
// temporal literals fall back to strings where they are none, so they are not
// those literals.
func (r *respeller) braced(t lex.Token, value []byte) error {
	r.brace = false
	if t != lex.Word || (!lex.Is(value, "FN") && !lex.Is(value, "OJ")) {
		return ErrTreeSyntax
	}
	r.prev = lex.Open
	return nil
}

// after says that the last word written, and nothing after it, is one of these.
func (r *respeller) after(words ...string) bool {
	if r.prev != lex.Word {
		return false
	}
	for _, w := range words {
		if lex.Is(r.prevWord, w) {
			return true
		}
	}
	return false
}

// rewriteChange handles words of INSERT, UPDATE and DELETE.
func (r *respeller) rewriteChange(w []byte) bool {
	switch r.kind {
	case Insert, Replace, Update, Delete:
	default:
		return false
	}
	switch {
	case lex.Is(w, "LOW_PRIORITY"):
		return r.after("INSERT", "REPLACE", "UPDATE", "DELETE")
	case lex.Is(w, "HIGH_PRIORITY"):
		return r.after("INSERT")
	case lex.Is(w, "QUICK"):
		return r.after("DELETE")
	case lex.Is(w, "RETURNING") && r.lx.Modes&MariaDB != 0 && r.depth == 0 && r.returning == 0 && r.kind != Update:
		r.returning = len(r.out)
		r.prev = lex.End
		return true
	case lex.Is(w, "NEXT"), lex.Is(w, "PREVIOUS"):
		return r.rewriteSequence(w)
	}
	return false
}

// rewriteQuery handles words of queries.
func (r *respeller) rewriteQuery(w []byte) bool {
	switch {
	case lex.Is(w, "ALL"):
		return r.prev == lex.Open
	case lex.Is(w, "TABLE") && r.lx.Modes&MariaDB == 0 && (r.beginsQuery() || r.kind == Insert || r.kind == Replace):
		return r.instead("SELECT * FROM")
	}
	return false
}

// beginsQuery says that a query may begin with the current word, in a statement that
// is one or has one.
func (r *respeller) beginsQuery() bool {
	switch r.kind {
	case Select, SetOperation, Table, Values, Insert, Replace, Update, Delete, Explain:
		return r.prev == lex.End || r.prev == lex.Open || r.after("UNION", "ALL", "DISTINCT")
	}
	return false
}

// rewriteDefinition handles words of CREATE TABLE and the like.
func (r *respeller) rewriteDefinition(w []byte) bool {
	switch r.kind {
	case DropTable, RenameTable:
		return lex.Is(w, "TABLES") && r.after("DROP", "TEMPORARY", "RENAME") && r.instead("TABLE")
	case CreateTable, AlterTable:
	default:
		return false
	}
	switch {
	case r.callsDefault(w):
		r.defaults = calledDefault{open: true, depth: r.depth}
		return r.instead("( " + string(w))
	case lex.Is(w, "PRECISION"):
		return r.after("DOUBLE")
	case lex.Is(w, "PERSISTENT"):
		return r.prev == lex.Close && r.lx.Modes&MariaDB != 0 && r.instead("STORED")
	case lex.Is(w, "CHECK"), lex.Is(w, "CONSTRAINT"):
		r.ownConstraint(w)
	}
	return false
}
