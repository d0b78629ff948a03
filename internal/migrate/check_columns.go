package migrate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/remedy"
	"tunic/internal/ddl/revision"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// checkColumns is about the columns that are to be protected: the policy has them so, and
// each can have a shadow beside clients.
func checkColumns(ctx context.Context, s *subject) (all []Finding, err error) {
	there, err := s.strings(ctx, "SELECT LOWER(COLUMN_NAME) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?", s.Schema, s.Table)
	if err != nil {
		return nil, err
	}
	for _, name := range s.Columns {
		if !containsFold(there, name) {
			all = append(all, remedied(noColumn, "there is no column "+name, "give --columns names of the table's columns", remedy.Remedy{}))
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	if slices.Contains(there, revision.LeftFence) {
		return hinders(leftColumn, "a decryption, or an --abort, was cut off at its end, and has left column "+revision.LeftFence, "run tunic encrypt --abort for the table, which drops it"), nil
	}
	plain, err := s.shown(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range s.refused {
		all = append(all, s.refusal(plain, r))
	}
	for i := 0; s.planned != nil && i < len(s.planned.Columns); i++ {
		if c := &s.planned.Columns[i]; c.Protected() && !c.Generated { // that is for checkExpressions
			all = append(all, s.unshadowed(plain, c)...)
		}
	}
	for _, name := range s.Columns {
		if !s.protects(name) {
			all = append(all, remedied(unprotected, "the policy does not protect column "+name,
				"give the column a rule with waits = true in the configuration of all tunics, or an annotation in its comment", remedy.Remedy{}))
		}
	}
	if len(s.names()) == 0 && len(all) == 0 {
		all = hinders(unprotected, "the policy protects none of its columns", "give them a rule with waits = true in the configuration of all tunics, or annotations in their comments")
	}
	return all, nil
}

// refusal is a finding of a definition that tunic would refuse.
func (s *subject) refusal(plain *remedy.PlainTable, r refused) Finding {
	f := remedied(refusedColumn, r.Message, "change the table as CREATE TABLE through tunic would ask for", remedy.Remedy{})
	switch {
	case r.column != "" && errors.Is(r.Error, sqlerr.FamilyColumn("", "")):
		f.Name, f.Remedy = family, plain.WithoutFamily(r.column)
		f.Fix = "leave family and its name out of the annotation of the column"
	case r.column != "":
		f.Remedy = s.leaveOut(plain, r.column)
		switch {
		case isKnownType(r.Error):
			f.Name, f.Fix = otherType, leaveOutText(f.Remedy)
		case errors.Is(r.Error, sqlerr.KeyKind("")) && len(f.Remove) == 0:
			f.Remedy = s.withoutWords(plain, r.column)
			f.Fix = "drop the key; or leave the column out: name the others with --columns"
		default:
			f.Fix += "; or " + leaveOutText(f.Remedy)
		}
	case errors.Is(r.Error, sqlerr.KeyExpression("")):
		f.Remedy = plain.WithoutExpressionKeys()
		f.Fix = "drop keys over expressions"
	}
	return f
}

// isKnownType reports whether a refusal is of the type of a column.
func isKnownType(e *sqlerr.Error) bool { return errors.Is(e, sqlerr.ColumnType("", "")) }

// unshadowed is a finding of a column that cannot have a shadow beside clients.
func (s *subject) unshadowed(plain *remedy.PlainTable, c *catalog.Column) []Finding {
	refusal, ok := errors.AsType[*sqlerr.Error](revision.NotShadowed(s.planned, c))
	if !ok {
		return nil
	}
	f := remedied(otherType, refusal.Message, "", s.leaveOut(plain, c.Name))
	switch {
	case c.OnUpdateNow, c.Default.Kind == catalog.DefaultExpression:
		f.Name, f.Remedy = computedValue, plain.Uncomputed(c.Name)
		f.Fix = "leave it out: name the others with --columns; or take off what computes it, have the application give the value meanwhile, and put it back through tunic"
	case c.ValidJSON, c.Type.Kind == value.JSON:
		f.Name, f.Remedy, s.textual = documents, plain.AsText(c.Name), append(s.textual, c.Name)
		f.Fix = "leave it out: name the others with --columns; or make it text, which it stays while the table has rows"
	case slices.ContainsFunc(s.planned.Keys, func(k catalog.Key) bool { return s.planned.KeepsRows(&k) && inKey(&k, c.Name) }):
		f.Name = rowKey
	}
	if f.Fix == "" {
		f.Fix = leaveOutText(f.Remedy)
	}
	return []Finding{f}
}

func inKey(k *catalog.Key, column string) bool {
	return slices.ContainsFunc(k.Parts, func(p catalog.Part) bool { return strings.EqualFold(p.Column, column) })
}
