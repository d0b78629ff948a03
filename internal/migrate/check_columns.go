package migrate

import (
	"context"
	"errors"
	"slices"

	"tunic/internal/ddl"
	"tunic/internal/sqlerr"
)

// checkColumns is about the columns that are to be protected: the policy has them so, and
// each can be copied beside clients.
func checkColumns(ctx context.Context, s *subject) (all []Finding, err error) {
	there, err := s.strings(ctx, "SELECT LOWER(COLUMN_NAME) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?", s.Schema, s.Table)
	if err != nil {
		return nil, err
	}
	for _, name := range s.Columns {
		if !containsFold(there, name) {
			all = append(all, Finding{Hinders: true, What: "there is no column " + name, Fix: "give --columns names of the table's columns"})
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	if slices.Contains(there, ddl.LeftFence) {
		return hinders("a decryption, or an --abort, was cut off at its end, and has left column "+ddl.LeftFence, "run tunic encrypt --abort for the table, which drops it"), nil
	}
	if s.refused != nil {
		refusal, ok := errors.AsType[*sqlerr.Error](s.refused)
		if !ok || refusal.Code == 0 {
			return nil, s.refused
		}
		return hinders(refusal.Message, "change the table as CREATE TABLE through tunic would ask for; or leave the column out, with --columns"), nil
	}
	for i := range s.planned.Columns {
		c := &s.planned.Columns[i]
		if !c.Protected() {
			continue
		}
		if refusal, ok := errors.AsType[*sqlerr.Error](ddl.Uncopied(s.planned, c)); ok {
			all = append(all, Finding{Hinders: true, What: refusal.Message, Fix: "leave it out: name the others with --columns"})
		}
	}
	for _, name := range s.Columns {
		if !s.protects(name) {
			all = append(all, Finding{Hinders: true, What: "the policy does not protect column " + name, Fix: "give the column a rule with waits = true in the configuration of all tunics, or an annotation in its comment"})
		}
	}
	if len(s.names()) == 0 && len(all) == 0 {
		all = hinders("the policy protects none of its columns", "give them a rule with waits = true in the configuration of all tunics, or annotations in their comments")
	}
	return all, nil
}
