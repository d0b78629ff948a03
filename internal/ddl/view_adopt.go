package ddl

import (
	"context"
	"errors"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/bystander"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/identifier"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
	"tunic/internal/value/charset"
)

// A view of the server's that reads a name becomes one of tunic's before something of tunic's gets
// the name: the server would show stored forms through it, or no rows. A dump makes such views: it
// has them in the order of their names, over others that are placeholders by then.
//
//	CREATE VIEW b ──► plan a, over b as it is to be ──► twins of b and a
//	              ──► ledger: a's stored view ──► ledger: b ──► a's stored view, over b
//
// A view of tunic's answers as the server's did, whether it leads to something protected, to what is
// plain, or to nothing. So it does not matter where the two changes of the ledger are cut off: there
// is never something of tunic's below a view of the server's. For the same reason the outermost of
// several views is the first to be made.

// adoptReaders makes views of tunic's of those of the server's that read a name at which something
// comes.
func (w *work) adoptReaders(ctx context.Context, steps []ledger.Step) error {
	for _, s := range steps {
		if !s.Comes() {
			continue
		}
		views, err := w.readers(ctx, s.New)
		if err != nil || len(views) == 0 {
			if err != nil {
				return err
			}
			continue
		}
		if err := w.mayAdopt(ctx, s.New, views); err != nil {
			return err
		}
		removed, added := ledger.Sides(steps)
		if err := w.adoptAll(ctx, s.New, views, w.catalog.Next(w.catalog.Version, removed, added)); err != nil {
			return err
		}
	}
	return nil
}

// free refuses to put protected tables, and views over them, where programs of the server's read, or
// views that cannot be made tunic's own.
func (w *work) free(ctx context.Context, steps []ledger.Step) error {
	if err := bystander.Unprogrammed(ctx, w.o.DB, steps); err != nil {
		return err
	}
	return w.adoptReaders(ctx, steps)
}

// mayAdopt refuses where somebody else than a client makes the definition, where a program of the
// server's names one of the views, and where the name is that of something else at the server, which a
// statement does not replace.
func (w *work) mayAdopt(ctx context.Context, t *catalog.Table, views []bystander.View) error {
	if w.session.Adopt == nil || w.session.Locked {
		return sqlerr.ViewUnderneath(t.Name, views[0].Name)
	}
	for _, v := range views {
		if err := bystander.UnprogrammedName(ctx, w.o.DB, v.Schema, v.Name); err != nil {
			return err
		}
	}
	if w.replaces {
		return nil
	}
	var there int
	err := w.o.DB.QueryRowContext(ctx, "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?", t.Schema, t.Name).Scan(&there)
	switch {
	case err != nil:
		return err
	case there > 0:
		return sqlerr.ViewUnderneath(t.Name, views[0].Name)
	}
	return nil
}

// readers are the views of the server's that read a table or view, by others as well: each behind
// those that it reads.
func (w *work) readers(ctx context.Context, of *catalog.Table) ([]bystander.View, error) {
	var found []bystander.View // each before those that it reads
	seen := map[string]bool{viewtext.NameIn(of): true}
	var visit func(name string) error
	visit = func(name string) error {
		views, err := bystander.Views(ctx, w.o.DB, name)
		if err != nil {
			return err
		}
		for _, v := range views {
			own := identifier.Quoted(v.Schema) + "." + identifier.Quoted(v.Name)
			if seen[own] || w.catalog.View(v.Schema, v.Name) != nil {
				continue
			}
			seen[own] = true
			if err := visit(own); err != nil {
				return err
			}
			found = append(found, v)
		}
		return nil
	}
	err := visit(viewtext.NameIn(of))
	slices.Reverse(found)
	return found, err
}

// adoptAll makes views of tunic's of views, by a catalog that has what is to come.
func (w *work) adoptAll(ctx context.Context, of *catalog.Table, views []bystander.View, c *catalog.Catalog) error {
	s, err := w.service(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	var all []*adopted
	for i := range views {
		a, err := w.adoptable(ctx, s, &views[i], c)
		if err != nil {
			w.dropTwinsOf(ctx, all)
			return w.unadopted(of, views[i].Name, err)
		}
		all = append(all, a)
		c = c.Next(c.Version, nil, []*catalog.Table{a.table})
	}
	return w.adoptNow(ctx, of, all)
}

// unadopted is the error of a view that cannot be tunic's.
func (w *work) unadopted(of *catalog.Table, view string, err error) error {
	if _, said := errors.AsType[*sqlerr.Error](err); !said {
		return err
	}
	w.o.Log.Warn("a view of the server's cannot become one of tunic's", "view", view, "reads", of.FullName(), "error", err)
	return sqlerr.ViewUnderneath(of.Name, view)
}

func (w *work) dropTwinsOf(ctx context.Context, all []*adopted) {
	for _, a := range all {
		w.Upkeep.DropViewTwin(ctx, a.table.Twin)
	}
}

// adoptable makes the twin of a view of the server's, as if the client had just made the view.
func (w *work) adoptable(ctx context.Context, s *service.Connection, v *bystander.View, c *catalog.Catalog) (*adopted, error) {
	told, err := w.toldOfServerView(ctx, s, v)
	if err != nil {
		return nil, err
	}
	if told.View.Definer == "" || !charset.InUTF8(told.View.Charset) && !charset.IsASCII([]byte(told.View.Query)) {
		return nil, sqlerr.DefinitionCharset(v.Name)
	}
	collation, ok := charset.Lookup(w.o.Flavor, told.View.Collation)
	if !ok {
		return nil, sqlerr.DefinitionCharset(v.Name)
	}
	view, err := w.session.Adopt(c, told)
	if err != nil {
		return nil, err
	}
	view.Algorithm, view.Security, view.Check, view.Definer = told.View.Algorithm, told.View.Security, told.View.Check, told.View.Definer
	view.Replace = true
	t := &catalog.Table{ID: w.newID(), Revision: 1, Schema: v.Schema, Name: v.Name}
	t.Twin = viewtext.TwinName(t.ID, t.Revision)
	then := *w
	then.result = Result{}
	then.session.Charset, then.session.Connection = told.View.Charset, collation
	if err := then.mirrorView(ctx, s, view, t); err != nil {
		w.Upkeep.DropViewTwin(ctx, t.Twin)
		return nil, err
	}
	t.View.Definer = told.View.Definer
	return &adopted{view: view, table: t}, nil
}

// toldOfServerView is what the server tells of a view of its own. SHOW CREATE VIEW has the character sets
// of literals, information_schema has not.
func (w *work) toldOfServerView(ctx context.Context, s *service.Connection, v *bystander.View) (*catalog.Table, error) {
	rows, err := s.Query(ctx, "SELECT CHECK_OPTION, DEFINER, SECURITY_TYPE, CHARACTER_SET_CLIENT, COLLATION_CONNECTION"+
		" FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?", v.Schema, v.Name)
	if err != nil || len(rows) == 0 {
		return nil, errors.Join(err, service.NoRow(len(rows)))
	}
	row := rows[0]
	shown, err := s.Query(ctx, "SHOW CREATE VIEW "+identifier.Quoted(v.Schema)+"."+identifier.Quoted(v.Name))
	if err != nil || len(shown) == 0 {
		return nil, errors.Join(err, service.NoRow(len(shown)))
	}
	account, ok := viewtext.ReadShown(service.Text(shown[0][1]))
	if !ok {
		return nil, showcreate.ErrUnread
	}
	if account.Query, ok = viewtext.WithPositions(account.Query, v.Query); !ok {
		return nil, sqlerr.StatementRefused("a view that the server shows in two ways")
	}
	const check, definer, security, set, collation = 0, 1, 2, 3, 4
	told := &catalog.View{
		Query: account.Query, Algorithm: account.Algorithm, Security: service.Text(row[security]),
		Charset: service.Text(row[set]), Collation: service.Text(row[collation]),
	}
	if service.Text(row[definer]) != "" {
		told.Definer = viewtext.QuoteAccount(service.Text(row[definer]))
	}
	if option := service.Text(row[check]); option != "NONE" {
		told.Check = option
	}
	t := &catalog.Table{Schema: v.Schema, Name: v.Name, View: told}
	for _, name := range account.Columns {
		t.Columns = append(t.Columns, catalog.Column{Name: name})
	}
	return t, nil
}

// adoptNow makes the stored views, by the client's account: the outermost first.
func (w *work) adoptNow(ctx context.Context, of *catalog.Table, all []*adopted) error {
	steps := make([]ledger.Step, len(all))
	for i, a := range all {
		steps[i] = ledger.Step{New: a.table}
	}
	refused := ""
	done, err := w.patience().throughLedger(ctx, steps, false, func(ctx context.Context) error {
		for _, a := range slices.Backward(all) {
			if err := w.storeAdopted(ctx, a); err != nil {
				refused = a.table.Name
				return err
			}
		}
		return nil
	})
	for _, a := range all {
		if !slices.ContainsFunc(done, func(s ledger.Step) bool { return s.New == a.table }) {
			w.Upkeep.DropUnused(ctx, a.table, a.table.Twin)
		}
	}
	w.catalog = w.o.Ledger.Catalog()
	e, said := errors.AsType[*sqlerr.Error](err)
	switch {
	case refused != "" && w.o.Ledger.Usable() == nil:
		return w.unadopted(of, refused, err)
	case said:
		return e
	case err != nil:
		w.o.Log.Error("the ledger has not taken a definition", "error", err)
		return sqlerr.NoLedger()
	}
	w.adopted = append(w.adopted, all...)
	return nil
}

// storeAdopted makes a stored view. One that is over something that is not there yet is to be made
// again.
func (w *work) storeAdopted(ctx context.Context, a *adopted) error {
	err := w.client.Exec(ctx, viewtext.Stored(a.view, a.table))
	if _, said := errors.AsType[*sqlerr.Error](err); !said {
		return err
	}
	a.loose = true
	return w.client.Exec(ctx, viewtext.StoredOver(a.view, a.table, nil))
}

// tighten has stored views read what they are over, once it is there, so that the server asks for
// the privileges for it. Who may not make them so has them as they are: whoever reads them has to be
// able to read the stored tables.
func (w *work) tighten(ctx context.Context) error {
	if !slices.ContainsFunc(w.adopted, func(a *adopted) bool { return a.loose }) {
		return nil
	}
	rows, err := w.client.Query(ctx, "SHOW WARNINGS")
	if err != nil {
		return err
	}
	w.spoken = service.ReadWarnings(rows, func(s string) string { return s })
	for _, a := range w.adopted {
		if !a.loose {
			continue
		}
		err := w.client.Exec(ctx, viewtext.Stored(a.view, a.table))
		if _, said := errors.AsType[*sqlerr.Error](err); err != nil && !said {
			return err
		}
		if a.loose = err != nil; a.loose {
			w.o.Log.Warn("a stored view does not read what the view is over", "view", a.table.FullName(), "error", err)
		}
	}
	return nil
}
