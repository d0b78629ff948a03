package migrate

import (
	"context"
	"errors"
	"strings"

	"tunic/internal/policy"
)

// checkForeignKeys is about foreign keys, from and to columns that are to be protected: both
// sides would have to change in one moment. A column that the policy protects and that would
// stay plain because its foreign key is to a plain one is left out by the operator's word only.
func checkForeignKeys(ctx context.Context, s *subject) (all []Finding, err error) {
	own, err := s.foreignKeyColumns(ctx)
	if err != nil {
		return nil, err
	}
	referred, err := s.strings(ctx, "SELECT REFERENCED_COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE"+
		" WHERE REFERENCED_TABLE_SCHEMA = ? AND REFERENCED_TABLE_NAME = ?", s.Schema, s.Table)
	if err != nil {
		return nil, err
	}
	add := func(what, name string) {
		all = append(all, Finding{Hinders: true, What: what + name, Fix: "leave the column out, with --columns; or drop the foreign key, protect the columns of both tables, and add it again through tunic"})
	}
	for _, c := range own {
		if s.protects(c.Name) || len(s.Columns) == 0 && s.Definer.Wants(c) {
			add("a foreign key is over column ", c.Name)
		}
	}
	for _, name := range referred {
		if s.protects(name) {
			add("a foreign key of another table refers to column ", name)
		}
	}
	return all, nil
}

// foreignKeyColumns are the columns of the table that are in a foreign key of its own.
func (s *subject) foreignKeyColumns(ctx context.Context) (all []policy.Column, err error) {
	rows, err := s.DB.QueryContext(ctx, "SELECT COLUMN_NAME, COLUMN_COMMENT, EXTRA FROM information_schema.COLUMNS c"+
		" WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND EXISTS (SELECT 1 FROM information_schema.KEY_COLUMN_USAGE k"+
		" WHERE k.TABLE_SCHEMA = c.TABLE_SCHEMA AND k.TABLE_NAME = c.TABLE_NAME AND k.COLUMN_NAME = c.COLUMN_NAME AND k.REFERENCED_TABLE_NAME IS NOT NULL)"+
		" ORDER BY ORDINAL_POSITION", s.Schema, s.Table)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		c, extra := policy.Column{Schema: s.Schema, Table: s.Table}, ""
		if err := rows.Scan(&c.Name, &c.Comment, &extra); err != nil {
			return nil, err
		}
		c.AutoIncrement = strings.Contains(strings.ToLower(extra), "auto_increment")
		all = append(all, c)
	}
	return all, rows.Err()
}
