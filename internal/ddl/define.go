package ddl

import (
	"context"
	"fmt"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/service"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// define makes the table of a definition, or says that it is to be forwarded.
func (w *work) define(ctx context.Context, d *definition.Definition, r *definition.Decider) error {
	if w.o.Flavor == value.MariaDB {
		definition.AdoptJSON(d.Spec)
	}
	r.Parents = w.parents(ctx)
	if err := r.Decide(d); err != nil {
		return err
	}
	if !d.Protects() {
		if err := w.hidesNone(d.Temporary, d.Schema, d.Table); err != nil {
			return err
		}
		if err := w.displace(ctx, d); err != nil {
			return err
		}
		w.result.Forward = true
		return nil
	}
	if w.session.Clips {
		return clipped(d.Table)
	}
	if w.hides(d.Schema, d.Table) {
		return sqlerr.DefinitionForm(d.Table, "a protected table in the place of a plain temporary one")
	}
	if err := w.readable(d); err != nil {
		return err
	}
	if err := d.Refuse(); err != nil {
		return err
	}
	if err := w.refusesNew(ctx, d, r); err != nil {
		return err
	}
	if err := w.displace(ctx, d); err != nil {
		return err
	}
	if !d.Temporary {
		end, err := w.begin(ctx, func() []*catalog.Table { return nil })
		if err != nil {
			return err
		}
		defer end()
	}
	if w.taken(d) {
		return w.existing(d)
	}
	return w.make(ctx, d)
}

// existing is the answer for a table that is there.
func (w *work) existing(d *definition.Definition) error {
	message := fmt.Sprintf("Table '%s' already exists", d.Table)
	if !d.IfNotExists {
		return &sqlerr.Error{Number: tableExists, State: "42S01", Message: message}
	}
	w.brought = nil // by a table that is not made
	w.warn(service.Warning{Level: value.Note, Number: tableExists, Message: message})
	return nil
}

// make makes twin, stored table and entry of the catalog.
func (w *work) make(ctx context.Context, d *definition.Definition) error {
	s, err := w.service(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	t := definition.NewTwin(w.newID(), 1)
	l, err := w.makeTwin(ctx, s, d, t)
	if err != nil {
		s.Drop(context.WithoutCancel(ctx), t.Name)
		return err
	}
	crash.Point("ddl.twin.made")
	if w.made != nil {
		return w.makeWithRows(ctx, s, d, l)
	}
	statement := definition.Respell(definition.CreateText(d, l.Stored()), w.session.Modes)
	if d.Temporary {
		if err := w.client.Exec(ctx, statement); err != nil {
			s.Drop(context.WithoutCancel(ctx), t.Name)
			return storedError(err, l.Table)
		}
		w.result.Temporary = l.Table
		return nil
	}
	done, err := w.change(ctx, []ledger.Step{{New: l.Table}}, func(ctx context.Context) error {
		return storedError(w.client.Exec(ctx, statement), l.Table)
	})
	if len(done) == 0 {
		w.Upkeep.DropUnused(ctx, l.Table, t.Name)
	}
	if err == nil && len(done) == 0 {
		return w.existing(d)
	}
	return err
}

// clipped refuses a definition for which tunic would read the table's from a text that leaves out a part.
func clipped(table string) error {
	return sqlerr.DefinitionForm(table, "a definition with sql_mode NO_TABLE_OPTIONS, NO_FIELD_OPTIONS, NO_KEY_OPTIONS, MYSQL40 or MYSQL323")
}
