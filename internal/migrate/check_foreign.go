package migrate

import "context"

// checkForeignKeys is about foreign keys, from and to columns that are to be protected: both
// sides would have to change in one moment.
func checkForeignKeys(ctx context.Context, s *subject) (all []Finding, err error) {
	own, err := s.strings(ctx, "SELECT COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE"+
		" WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND REFERENCED_TABLE_NAME IS NOT NULL", s.Schema, s.Table)
	if err != nil {
		return nil, err
	}
	referred, err := s.strings(ctx, "SELECT REFERENCED_COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE"+
		" WHERE REFERENCED_TABLE_SCHEMA = ? AND REFERENCED_TABLE_NAME = ?", s.Schema, s.Table)
	if err != nil {
		return nil, err
	}
	for _, of := range []struct {
		columns []string
		what    string
	}{{own, "a foreign key is over column "}, {referred, "a foreign key of another table refers to column "}} {
		for _, name := range of.columns {
			if s.protects(name) {
				all = append(all, Finding{Hinders: true, What: of.what + name, Fix: "leave the column out, with --columns; or drop the foreign key, protect the columns of both tables, and add it again through tunic"})
			}
		}
	}
	return all, nil
}
