package sql

import (
	"testing"

	"vitess.io/vitess/go/vt/sqlparser"
)

// TestRewriteColumns: what MariaDB knows of columns and the library does not.
func TestRewriteColumns(t *testing.T) {
	for text, want := range map[string]string{
		"CREATE TABLE t (u UUID NOT NULL, `i` inet6 DEFAULT NULL, KEY uuid (u))":                                                     "create table `t` (\n\t`u` uuid not null,\n\t`i` inet6 default null,\n\tkey `uuid` (`u`)\n)",
		"ALTER TABLE t ADD COLUMN u UUID NULL, CHANGE a b INET4, MODIFY COLUMN c uuid":                                               "alter table `t` add column `u` uuid null, change column `a` `b` inet4, modify column `c` uuid",
		"CREATE TABLE t (a INT CHECK (a > 0), b INT UNSIGNED NOT NULL CHECK (b >= 0), CHECK (a < b))":                                "create table `t` (\n\t`a` INT,\n\t`b` INT unsigned not null,\n\tconstraint `column a ` check (`a` > 0),\n\tconstraint `column b ` check (`b` >= 0),\n\tcheck (`a` < `b`)\n)",
		"ALTER TABLE t ADD COLUMN `c` INT CHECK (`c` >= 0), ADD CONSTRAINT n CHECK (c < 5), DROP KEY k":                              "alter table `t` add column `c` INT, add constraint `column c ` check (`c` >= 0), add constraint `n` check (`c` < 5), drop key `k`",
		"CREATE TABLE t (rank INT, lead INT, KEY k (rank))":                                                                          "create table `t` (\n\t`rank` INT,\n\t`lead` INT,\n\tkey `k` (`rank`)\n)",
		"SELECT rank, t.rank, RANK () OVER (ORDER BY lag) FROM t":                                                                    "select `rank`, `t`.`rank`, rank() over (order by `lag` asc) from `t`",
		"CREATE TABLE t (a CHAR(36) DEFAULT uuid() NOT NULL, b INT DEFAULT abs( (1) - f(2) ) COMMENT 'x', c DATETIME DEFAULT now())": "create table `t` (\n\t`a` CHAR(36) not null default (uuid()),\n\t`b` INT default (abs(1 - f(2))) comment 'x',\n\t`c` DATETIME default now()\n)",
		"ALTER TABLE t ADD a DATE DEFAULT curdate(), ALTER b SET DEFAULT lower ('X')":                                                "alter table `t` add column `a` DATE default (curdate()), alter column `b` set default (lower('X'))",
	} {
		all, err := Parse([]byte(text), MariaDB)
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		tree, err := all[0].Tree()
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		printed, err := NewTree(tree.Root(), nil).Print(MariaDB)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := printed.String(); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}

func TestIfExists(t *testing.T) {
	all, err := Parse([]byte("alter table if exists t DROP FOREIGN KEY IF EXISTS f, DROP COLUMN IF EXISTS `c`, DROP KEY k"), MariaDB)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := all[0].Tree()
	if err != nil {
		t.Fatal(err)
	}
	n := tree.Root().(*sqlparser.AlterTable)
	if !TableIfExists(n) {
		t.Error("the table may be missing")
	}
	var names []string
	for _, o := range n.AlterOptions {
		switch o := o.(type) {
		case *sqlparser.DropKey:
			names = append(names, o.Name.String())
		case *sqlparser.DropColumn:
			names = append(names, o.Name.Name.String())
		}
	}
	for i, want := range []string{"f", "c", "k"} {
		if name, optional := IfExists(names[i]); name != want || optional != (want != "k") {
			t.Errorf("%q is %q, optional %t", names[i], name, optional)
		}
	}
}
