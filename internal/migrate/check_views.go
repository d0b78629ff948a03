package migrate

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/remedy"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/identifier"
)

// checkViews is about views at the server, which would show ciphertext, and those over them: of a view
// of tunic's they would show no rows. Those of tunic's own are planned by what the table is now.
func checkViews(ctx context.Context, s *subject) (all []Finding, err error) {
	names, err := s.allViews(ctx)
	for _, name := range names {
		f := Finding{Name: view, Hinders: true, Of: name[0] + "." + name[1], What: "view " + name[0] + "." + name[1] + " reads the table"}
		if v := s.ownView(name); v != nil {
			f.Fix = "drop the view through tunic, and create it again through tunic when the table is protected"
			f.Remedy = remedy.Remedy{Remove: []string{"DROP VIEW " + viewtext.NameIn(v)}, Restore: []string{viewtext.Create(v)}, Through: true}
		} else {
			f.Fix = "drop the view, and create it again through tunic when the table is protected"
			f.Remedy = s.withoutView(ctx, name[0], name[1])
		}
		all = append(all, f)
	}
	return all, err
}

// allViews are the views that read the table, and those over them, each behind what it reads.
func (s *subject) allViews(ctx context.Context) (names [][2]string, err error) {
	table := [2]string{s.Schema, s.Table}
	names, err = s.viewsOver(ctx, table, nil, map[[2]string]bool{table: true})
	slices.Reverse(names)
	return names, err
}

// ownView is a view of tunic's; nil of one of the server's own.
func (s *subject) ownView(name [2]string) *catalog.Table {
	return s.Ledger.Catalog().View(name[0], name[1])
}

// viewsOver adds the views that read a table or view, and those that read these, to those that are known,
// each before what it reads. It asks once for each; seen are those that it has asked for.
func (s *subject) viewsOver(ctx context.Context, of [2]string, known [][2]string, seen map[[2]string]bool) ([][2]string, error) {
	above, err := s.viewsRead(ctx, of)
	if err != nil {
		return nil, err
	}
	for _, v := range slices.Backward(above) {
		if seen[v] { // two ways lead to it, or a column is called as a schema and one of its views
			continue
		}
		seen[v] = true
		if known, err = s.viewsOver(ctx, v, known, seen); err != nil {
			return nil, err
		}
		known = append(known, v)
	}
	return known, nil
}

// viewsRead are the views at the server that read a table or view, in the order of their names. What tunic's own read is in
// the catalog: their stored forms may read less. The twins in tunic's schema go with their views.
func (s *subject) viewsRead(ctx context.Context, of [2]string) (names [][2]string, err error) {
	rows, err := s.DB.QueryContext(ctx, "SELECT TABLE_SCHEMA, TABLE_NAME, INSTR(VIEW_DEFINITION, ?) > 0 FROM information_schema.VIEWS WHERE TABLE_SCHEMA <> ? ORDER BY 1, 2",
		identifier.Quoted(of[0])+"."+identifier.Quoted(of[1]), catalog.Schema)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name [2]string
		var reads sql.NullBool
		if err := rows.Scan(&name[0], &name[1], &reads); err != nil {
			return nil, err
		}
		if v := s.ownView(name); v != nil && s.isOver(v, of) || v == nil && reads.Bool {
			names = append(names, name)
		}
	}
	return names, rows.Err()
}

// isOver reports whether a view of tunic's reads a table or view.
func (s *subject) isOver(v *catalog.Table, of [2]string) bool {
	known := s.Ledger.Catalog()
	return slices.ContainsFunc(v.View.Over, func(o catalog.ViewOver) bool { return known.SameName(o.Schema, of[0]) && known.SameName(o.Name, of[1]) })
}

// withoutView drops a view of the server's. How it is made again is known where the service account may see it.
func (s *subject) withoutView(ctx context.Context, schema, name string) remedy.Remedy {
	of := identifier.Quoted(schema) + "." + identifier.Quoted(name)
	r := remedy.Remedy{Remove: []string{"DROP VIEW " + of}}
	var text, charset, collation string
	if s.DB.QueryRowContext(ctx, "SHOW CREATE VIEW "+of).Scan(&name, &text, &charset, &collation) != nil {
		return r
	}
	head, query, ok := strings.Cut(text, " VIEW "+of) // behind it are names of columns, or AS
	if !ok {
		if head, query, ok = strings.Cut(text, " VIEW "+identifier.Quoted(name)); !ok {
			return r
		}
	}
	r.Restore = []string{"CREATE " + mannerIn(head) + "VIEW " + of + query}
	return r
}

// mannerIn is what the begin of SHOW CREATE VIEW says, but for the definer, which is whoever makes the view again.
func mannerIn(head string) string {
	security := ""
	if strings.HasSuffix(head, " SQL SECURITY INVOKER") {
		security = "INVOKER"
	}
	algorithm, _, _ := strings.Cut(strings.TrimPrefix(head, "CREATE ALGORITHM="), " ")
	return viewtext.Manner(algorithm, security)
}

// checkForeignViews is checkViews without those that tunic knows of: they are read through it.
func checkForeignViews(ctx context.Context, s *subject) ([]Finding, error) {
	all, err := checkViews(ctx, s)
	return slices.DeleteFunc(all, func(f Finding) bool { return f.Through }), err
}
