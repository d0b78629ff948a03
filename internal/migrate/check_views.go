package migrate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tunic/internal/ddl/remedy"
	"tunic/internal/identifier"
)

// checkViews is about views at the server, which would show ciphertext, and those over them: of a view
// of tunic's they would show no rows.
func checkViews(ctx context.Context, s *subject) (all []Finding, err error) {
	table := [2]string{s.Schema, s.Table}
	names, err := s.viewsOver(ctx, table, nil, map[[2]string]bool{table: true})
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Backward(names) {
		f := remedied(view, "view "+name[0]+"."+name[1]+" reads the table", "drop the view, and create it again through tunic when the table is protected",
			s.withoutView(ctx, name[0], name[1]))
		f.Of = name[0] + "." + name[1]
		all = append(all, f)
	}
	return all, nil
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

// viewsRead are the views whose queries name a table or view.
func (s *subject) viewsRead(ctx context.Context, of [2]string) (names [][2]string, err error) {
	rows, err := s.DB.QueryContext(ctx, "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.VIEWS WHERE INSTR(VIEW_DEFINITION, ?) > 0 ORDER BY 1, 2",
		identifier.Quoted(of[0])+"."+identifier.Quoted(of[1]))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name [2]string
		if err := rows.Scan(&name[0], &name[1]); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// withoutView drops a view. How it is made again is known where the service account may see it.
func (s *subject) withoutView(ctx context.Context, schema, name string) remedy.Remedy {
	of := identifier.Quoted(schema) + "." + identifier.Quoted(name)
	r := remedy.Remedy{Remove: []string{"DROP VIEW " + of}}
	var text, charset, collation string
	if s.DB.QueryRowContext(ctx, "SHOW CREATE VIEW "+of).Scan(&name, &text, &charset, &collation) != nil {
		return r
	}
	if at := strings.Index(text, " VIEW "+identifier.Quoted(name)+" AS "); at >= 0 {
		text = "CREATE VIEW " + of + text[at+len(" VIEW "+identifier.Quoted(name)):]
	} else if at := strings.Index(text, " VIEW "); at >= 0 && strings.HasPrefix(text[at+6:], of) {
		text = "CREATE" + text[at:]
	}
	r.Restore = []string{text}
	return r
}

// checkForeignViews is checkViews without those that tunic knows of: they are read through it.
func checkForeignViews(ctx context.Context, s *subject) ([]Finding, error) {
	all, err := checkViews(ctx, s)
	for v := range s.Ledger.Catalog().Views() {
		all = slices.DeleteFunc(all, func(f Finding) bool { return f.What == "view "+v.Schema+"."+v.Name+" reads the table" })
	}
	return all, err
}
