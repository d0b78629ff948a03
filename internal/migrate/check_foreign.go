package migrate

import (
	"context"
	"errors"
	"strings"

	"tunic/internal/ddl/remedy"
	"tunic/internal/identifier"
	"tunic/internal/policy"
)

// checkForeignKeys is about foreign keys, from and to columns that are to be protected: both
// sides would have to change in one moment. A column that the policy protects and that would
// stay plain because its foreign key is to a plain one is left out by the operator's word only.
func checkForeignKeys(ctx context.Context, s *subject) (all []Finding, err error) {
	own, err := s.policyColumns(ctx, " AND EXISTS (SELECT 1 FROM information_schema.KEY_COLUMN_USAGE k"+
		" WHERE k.TABLE_SCHEMA = c.TABLE_SCHEMA AND k.TABLE_NAME = c.TABLE_NAME AND k.COLUMN_NAME = c.COLUMN_NAME AND k.REFERENCED_TABLE_NAME IS NOT NULL)")
	if err != nil {
		return nil, err
	}
	for _, c := range own {
		if !s.protects(c.Name) && !(len(s.Columns) == 0 && s.Definer.Wants(c)) {
			continue
		}
		remedy, err := s.withoutReferences(ctx, c.Name)
		if err != nil {
			return nil, err
		}
		all = append(all, remedied(foreignKey, "a foreign key is over column "+c.Name, foreignFix, remedy))
	}
	referring, err := s.referring(ctx)
	for _, r := range referring {
		if !s.protects(r.column) {
			continue
		}
		remedy, err := s.withoutReferring(ctx, r)
		if err != nil {
			return nil, err
		}
		all = append(all, remedied(referredTo, "a foreign key of another table refers to column "+r.column, foreignFix, remedy))
	}
	return all, err
}

const foreignFix = "leave the column out, with --columns; or drop the foreign key, protect the columns of both tables, and add it again through tunic"

// withoutReferences drops the foreign keys over a column. Where one refers to a primary key, which
// stays plain, the column is left out instead.
func (s *subject) withoutReferences(ctx context.Context, column string) (r remedy.Remedy, err error) {
	plain, err := s.shown(ctx)
	if err != nil {
		return r, err
	}
	for _, f := range plain.References(s.Schema) {
		for i, name := range f.Columns {
			if !strings.EqualFold(name, column) || i >= len(f.Referenced) {
				continue
			}
			parent, err := s.other(ctx, f.Schema, f.Table)
			if err != nil {
				return r, err
			}
			if leave := s.leaveOut(plain, column); len(leave.Remove) > 0 && (parent == nil || parent.InPrimaryKey(f.Referenced[i])) {
				return leave, nil
			}
			r.Remove, r.Restore = append(r.Remove, f.Drop.Remove...), append(r.Restore, f.Drop.Restore...)
		}
	}
	return r, nil
}

// withoutReferring drops a foreign key of another table's, or leaves the column out if it is in the
// primary key, which stays plain.
func (s *subject) withoutReferring(ctx context.Context, by referring) (r remedy.Remedy, err error) {
	plain, err := s.shown(ctx)
	if err != nil {
		return r, err
	}
	if plain.InPrimaryKey(by.column) {
		return s.leaveOut(plain, by.column), nil
	}
	child, err := s.other(ctx, by.schema, by.table)
	if child == nil || err != nil {
		return r, err
	}
	for _, f := range child.References(by.schema) {
		if f.Name == by.name {
			return f.Drop, nil
		}
	}
	return r, nil
}

// other is another table as the server shows it, nil if it does not.
func (s *subject) other(ctx context.Context, schema, table string) (*remedy.PlainTable, error) {
	var name, definition string
	if err := s.DB.QueryRowContext(ctx, "SHOW CREATE TABLE "+identifier.Quoted(schema)+"."+identifier.Quoted(table)).Scan(&name, &definition); err != nil {
		return nil, ctx.Err() // the account may not see it
	}
	t, err := remedy.ReadPlain(schema, table, definition)
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // it has parts that tunic cannot read
	}
	return t, nil
}

// referring is a column to which a foreign key of another table refers, or of its own.
type referring struct{ column, schema, table, name string }

func (s *subject) referring(ctx context.Context) (all []referring, err error) {
	rows, err := s.DB.QueryContext(ctx, "SELECT REFERENCED_COLUMN_NAME, TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME FROM information_schema.KEY_COLUMN_USAGE"+
		" WHERE REFERENCED_TABLE_SCHEMA = ? AND REFERENCED_TABLE_NAME = ? ORDER BY 2, 3, 4, ORDINAL_POSITION", s.Schema, s.Table)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r referring
		if err := rows.Scan(&r.column, &r.schema, &r.table, &r.name); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

// policyColumns are columns of the table, c in a condition, as the policy decides about them.
func (s *subject) policyColumns(ctx context.Context, condition string) (all []policy.Column, err error) {
	rows, err := s.DB.QueryContext(ctx, "SELECT COLUMN_NAME, COLUMN_COMMENT, EXTRA FROM information_schema.COLUMNS c"+ //nolint:gosec // conditions are constants
		" WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?"+condition+" ORDER BY ORDINAL_POSITION", s.Schema, s.Table)
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
