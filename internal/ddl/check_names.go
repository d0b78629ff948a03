package ddl

import (
	"context"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// duplicateCheck is ER_CHECK_CONSTRAINT_DUP_NAME.
const duplicateCheck = 3822

// newCheckNames refuses CHECKs with names that others of the schema have: MySQL has each once
// in a schema (MySQL manual, "CHECK Constraints"). The server does not know the names of those
// that it does not hold, which are over protected columns. was is the table before a change. It is nothing on MariaDB.
func newCheckNames(ctx context.Context, s *service.Connection, known *catalog.Catalog, l *definition.Logical, was *catalog.Table, flavor value.Flavor) error {
	if flavor != value.MySQL {
		return nil
	}
	had := map[string]bool{}
	if was != nil {
		had = checkNamesOf(was, had)
	}
	var fresh []string
	for i := range l.Shown.Checks {
		if name := l.Shown.Checks[i].Name; !had[catalog.Folded(name)] {
			fresh = append(fresh, name)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	taken, err := checkNamesIn(ctx, s, known, l.Table)
	if err != nil {
		return err
	}
	for _, name := range fresh {
		if taken[catalog.Folded(name)] {
			return &sqlerr.Error{Number: duplicateCheck, State: "HY000", Message: "Duplicate check constraint name '" + name + "'."}
		}
	}
	return nil
}

// checkNamesIn are the names of CHECKs in the schema of a table, but for its own that the
// server does not hold.
func checkNamesIn(ctx context.Context, s *service.Connection, known *catalog.Catalog, t *catalog.Table) (map[string]bool, error) {
	taken := map[string]bool{}
	rows, err := s.Query(ctx, "SELECT CONSTRAINT_NAME FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = ?", t.Schema)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		taken[catalog.Folded(service.Text(r[0]))] = true
	}
	for other := range known.Tables() {
		if other.ID != t.ID && other.Schema == t.Schema {
			taken = checkNamesOf(other, taken)
		}
	}
	return taken, nil
}

// checkNamesOf adds the names of a table's CHECKs to others. A definition that cannot be read
// has none that are known.
func checkNamesOf(t *catalog.Table, names map[string]bool) map[string]bool {
	account, err := showcreate.Read(t.Definition)
	if err != nil {
		return names
	}
	for i := range account.Checks {
		names[catalog.Folded(account.Checks[i].Name)] = true
	}
	return names
}
