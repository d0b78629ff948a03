package crashtest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// definer is a client that defines: keys and columns of one table that others use, and
// tables of its own, whose names begin with its prefix.
type definer struct {
	*client
	beside *client // of the other tunic
	table  string  // that of others
	column string  // of it, over which a key comes and goes
	prefix string
	model  schema
	number int
}

// schema is what tables there are to be, by name.
type schema map[string]shape

// shape is a table: the types of its columns, and the names of its keys.
type shape struct {
	columns map[string]string
	keys    map[string]bool
}

func (s schema) copy() schema {
	next := schema{}
	for name, of := range s {
		next[name] = shape{maps.Clone(of.columns), maps.Clone(of.keys)}
	}
	return next
}

// without is the schema without a table.
func (s schema) without(table string) schema {
	next := s.copy()
	delete(next, table)
	return next
}

// String is the same for the same schema.
func (s schema) String() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		var columns []string
		for _, column := range slices.Sorted(maps.Keys(s[name].columns)) {
			columns = append(columns, column+" "+s[name].columns[column])
		}
		all = append(all, fmt.Sprintf("%s (%s; keys %s)", name, strings.Join(columns, ", "), strings.Join(slices.Sorted(maps.Keys(s[name].keys)), ", ")))
	}
	return strings.Join(all, "\n")
}

// definition is a statement and what it makes of a schema. Rows may have to be there first.
type definition struct {
	kind, statement string
	next            schema
	rows            string
}

// kinds are the kinds of definitions. A crash point is passed by some of them only.
const (
	keyKind    = "key"
	columnKind = "column"
	typeKind   = "type"
	// heapKind changes a type in a table of an engine that has no place for a fence: rows are
	// written under a lock, without a column beside it that succeeds the old one.
	heapKind  = "heap"
	tableKind = "table"
	madeKind  = "made"
	jobKind   = "job"
	// rotationKind and conversionKind are no definitions: the points are passed by `tunic rotate`,
	// and by `tunic encrypt` and `tunic decrypt`.
	rotationKind   = "rotation"
	conversionKind = "conversion"
)

func newDefiner(c, beside *client, table, column, prefix string) *definer {
	return &definer{client: c, beside: beside, table: table, column: column, prefix: prefix}
}

// open learns what is there at first.
func (d *definer) open() (err error) {
	d.model, err = d.actual(d.client)
	return err
}

// take makes one definition, which is done or not as a whole, and finds out which.
func (d *definer) take() error {
	kind := d.kind()
	if kind == jobKind {
		return d.job()
	}
	x := d.draw(kind)
	if x.rows != "" {
		if _, err := d.exec(x.rows); err != nil {
			_, err = d.judge(err)
			return err
		}
	}
	_, err := d.exec(x.statement)
	came, err := d.judge(err)
	if err != nil {
		return err
	}
	if came != done {
		if came, err = d.find(x); err != nil {
			return err
		}
	}
	d.w.count("definitions of a " + x.kind)
	if came == done {
		d.model = x.next
	}
	return nil
}

// find finds out whether all is as it was or as it was to be.
func (d *definer) find(x definition) (outcome, error) {
	for until := time.Now().Add(stuck); ; time.Sleep(reread) {
		is, err := d.agreed()
		switch {
		case err != nil:
			return unknown, err
		case is == nil && time.Now().After(until):
			return unknown, fmt.Errorf("%s: tunics do not agree on what it has left within %v", x.statement, stuck)
		case is == nil:
		case is.String() == x.next.String():
			d.w.count("definitions of unknown outcome, done 1")
			return done, nil
		case is.String() == d.model.String():
			d.w.count("definitions of unknown outcome, done 0")
			return undone, nil
		case x.kind == heapKind && is.String() == d.model.without(d.prefix+"heap").String():
			return undone, d.lost(d.prefix + "heap")
		default:
			return unknown, fmt.Errorf("%s\nhas left\n%v\nwhich is neither what was\n%v\nor what was to be\n%v", x.statement, is, d.model, x.next)
		}
	}
}

// lost drops a table that MySQL has lost, or has altered in part: one of MEMORY, whose definitions
// are not atomic, when it is killed within ALTER TABLE.
func (d *definer) lost(table string) error {
	d.w.count("tables of MEMORY that the server has lost")
	d.model = d.model.without(table)
	return eventually(stuck, func() error {
		_, err := d.exec("DROP TABLE IF EXISTS " + table)
		_, lost := d.judge(err)
		return errors.Join(err, lost)
	})
}

// half drops a table of MEMORY that MySQL has altered in part, when it was killed within ALTER
// TABLE: a CHECK has the name still that it has until the end. Of its rows none is left, whatever
// becomes of it, and `tunic verify` says what is wrong with it.
func (d *definer) half() error {
	name := d.prefix + "heap"
	if _, there := d.model[name]; !there {
		return nil
	}
	var checks int
	err := d.w.root.QueryRow("SELECT COUNT(*) FROM information_schema.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND CONSTRAINT_NAME LIKE '#cc%'", database, name).Scan(&checks)
	if err != nil || checks == 0 {
		return err
	}
	return d.lost(name)
}

// agreed is what both tunics tell when no change is under way; nil if they do not agree yet,
// or one is. A change that was under way when its tunic or the server was killed is settled by
// either of them, and the other one hears of it within a moment: until then that tells of
// types and keys as they were, beside columns as they are.
func (d *definer) agreed() (schema, error) {
	var entries int
	if err := d.w.root.QueryRow("SELECT COUNT(*) FROM _tunic.journal").Scan(&entries); err != nil || entries > 0 {
		return nil, nil //nolint:nilerr // the server is away: look again
	}
	var told [2]schema
	for i, by := range [...]*client{d.client, d.beside} {
		var err error
		if told[i], err = d.actual(by); err != nil {
			_, err = by.judge(err)
			return nil, err
		}
	}
	if told[0].String() != told[1].String() {
		d.w.count("looks at definitions on which tunics did not agree yet")
		return nil, nil
	}
	return told[0], nil
}

// check compares what is there, as one of the tunics tells it, with what is to be. A tunic
// that has changed nothing itself hears of it within a moment.
func (d *definer) check(by *client) error {
	return eventually(20*time.Second, func() error {
		is, err := d.actual(by)
		if err != nil {
			_, lost := by.judge(err)
			return errors.Join(err, lost)
		}
		if is.String() != d.model.String() {
			return fmt.Errorf("%s tells\n%v\nand not\n%v", by.name, is, d.model)
		}
		return nil
	})
}

// actual asks for the tables.
func (d *definer) actual(by *client) (schema, error) {
	tables, err := by.rows("SHOW TABLES")
	if err != nil {
		return nil, err
	}
	found := schema{}
	for _, row := range tables {
		if row[0] != d.table && !strings.HasPrefix(row[0], d.prefix) {
			continue
		}
		of := shape{map[string]string{}, map[string]bool{}}
		columns, err := by.rows("SHOW COLUMNS FROM " + row[0])
		if err != nil {
			return nil, err
		}
		for _, c := range columns {
			of.columns[c[0]], _, _ = strings.Cut(c[1], "(")
		}
		keys, err := by.rows("SHOW INDEX FROM " + row[0])
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			of.keys[k[2]] = true
		}
		found[row[0]] = of
	}
	return found, nil
}

// kind draws a kind of definition. Where a crash point is to be passed, it is most often one
// that passes it.
func (d *definer) kind() string {
	all := slices.DeleteFunc([]string{keyKind, columnKind, typeKind, heapKind, tableKind, madeKind, jobKind},
		func(kind string) bool { return slices.Contains(d.w.without, kind) })
	if want, _ := d.at.want.Load().(string); want != "" && d.rnd.IntN(4) > 0 {
		return want
	}
	return all[d.rnd.IntN(len(all))]
}

// draw draws a definition that can be made.
func (d *definer) draw(kind string) definition {
	d.number++
	next := d.model.copy()
	statement := map[string]func(schema) string{keyKind: d.key, columnKind: d.extra, typeKind: d.retype, heapKind: d.heap, tableKind: d.own, madeKind: d.made}[kind](next)
	x := definition{kind: kind, statement: statement, next: next}
	if kind == heapKind && strings.HasPrefix(statement, "ALTER") {
		x.rows = fmt.Sprintf("INSERT INTO %sheap (id, v) VALUES (%d, 1), (%d, 2)", d.prefix, 2*d.number, 2*d.number+1)
	}
	return x
}

// key makes or drops a key over a column that is always there. Its layer stays.
func (d *definer) key(next schema) string { return d.keyOver(next, d.column) }

func (d *definer) keyOver(next schema, column string) string {
	name := "by_" + column
	if d.model[d.table].keys[name] {
		delete(next[d.table].keys, name)
		return "DROP INDEX " + name + " ON " + d.table
	}
	next[d.table].keys[name] = true
	return "CREATE INDEX " + name + " ON " + d.table + " (" + column + ")"
}

// extra adds a column, in which rows from before get a value, or NULL, puts a key over it, for
// which they get tokens, and drops it.
func (d *definer) extra(next schema) string {
	const name = "extra"
	switch is := d.model[d.table]; {
	case is.columns[name] == "":
		next[d.table].columns[name] = "varchar"
		value := [...]string{ // in a family; by itself; and so that its stored column is added ahead of the change
			"", " NOT NULL DEFAULT 'as before' COMMENT 'tunic: apart'", " COMMENT 'tunic: apart'",
		}
		return "ALTER TABLE " + d.table + " ADD COLUMN " + name + " VARCHAR(12)" + value[d.number%len(value)]
	case !is.keys["by_"+name] && d.number%4 > 0:
		return d.keyOver(next, name)
	}
	delete(next[d.table].columns, name)
	delete(next[d.table].keys, "by_"+name)
	return "ALTER TABLE " + d.table + " DROP COLUMN " + name
}

// retype gives a column another type, and its rows other sealed forms.
func (d *definer) retype(next schema) string {
	name := d.prefix + "typed"
	if _, there := d.model[name]; !there {
		next[name] = shape{map[string]string{"id": "int", "v": "int"}, map[string]bool{"PRIMARY": true, "v": true}}
		return "CREATE TABLE " + name + " (id INT PRIMARY KEY, v INT, KEY v (v)) SELECT id, CAST(n AS SIGNED) AS v FROM counter WHERE id < 40"
	}
	is := map[string]string{"int": "bigint", "bigint": "mediumint", "mediumint": "int"}[d.model[name].columns["v"]]
	next[name].columns["v"] = is
	return "ALTER TABLE " + name + " MODIFY v " + is
}

// heap gives a column of a table without a fence another type. A kill of the server leaves
// the table, and none of its rows, so it is made again and again.
func (d *definer) heap(next schema) string {
	name := d.prefix + "heap"
	is, there := d.model[name]
	switch {
	case !there:
		next[name] = shape{map[string]string{"id": "int", "v": "int"}, map[string]bool{"PRIMARY": true, "v": true}}
		return "CREATE TABLE " + name + " (id INT PRIMARY KEY, v INT, KEY v (v)) ENGINE=MEMORY"
	case is.columns["v"] == "int":
		next[name].columns["v"] = "decimal"
		return "ALTER TABLE " + name + " MODIFY v DECIMAL(12,2)"
	}
	delete(next, name)
	return "DROP TABLE " + name
}

// own makes, renames and drops a table.
func (d *definer) own(next schema) string {
	one, other := d.prefix+"one", d.prefix+"other"
	of, isOne := d.model[one]
	_, isOther := d.model[other]
	switch {
	case isOne && !isOther && d.number%3 > 0:
		delete(next, one)
		next[other] = of
		return "RENAME TABLE " + one + " TO " + other
	case isOne:
		delete(next, one)
		return "DROP TABLE " + one
	case isOther && d.number%2 > 0:
		delete(next, other)
		return "DROP TABLE " + other
	}
	next[one] = shape{map[string]string{"id": "int", "s": "varchar", "d": "date"}, map[string]bool{"PRIMARY": true, "s": true}}
	return "CREATE TABLE " + one + " (id INT PRIMARY KEY, s VARCHAR(20), d DATE, KEY s (s))"
}

// made makes a table together with its rows, and drops it.
func (d *definer) made(next schema) string {
	name := d.prefix + "made"
	if _, there := d.model[name]; there {
		delete(next, name)
		return "DROP TABLE " + name
	}
	next[name] = shape{map[string]string{"id": "int", "note": "varchar"}, map[string]bool{"PRIMARY": true}}
	return "CREATE TABLE " + name + " (id INT PRIMARY KEY) SELECT id, note FROM counter WHERE id < 30"
}
