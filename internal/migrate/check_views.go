package migrate

import (
	"context"
	"slices"
)

// checkViews is about views at the server, which would show ciphertext.
func checkViews(ctx context.Context, s *subject) (all []Finding, err error) {
	of := quoted(s.Schema) + "." + quoted(s.Table)
	names, err := s.strings(ctx, "SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) FROM information_schema.VIEWS WHERE INSTR(VIEW_DEFINITION, ?) > 0", of)
	for _, name := range names {
		all = append(all, Finding{Hinders: true, What: "view " + name + " reads the table", Fix: "drop the view, and create it again through tunic when the table is protected"})
	}
	return all, err
}

// checkForeignViews is checkViews without those that tunic knows of: they are read through it.
func checkForeignViews(ctx context.Context, s *subject) ([]Finding, error) {
	all, err := checkViews(ctx, s)
	for v := range s.Ledger.Catalog().Views() {
		all = slices.DeleteFunc(all, func(f Finding) bool { return f.What == "view "+v.Schema+"."+v.Name+" reads the table" })
	}
	return all, err
}
