package audit

import (
	"context"

	"tunic/internal/catalog"
	"tunic/internal/ddl/bystander"
	"tunic/internal/ddl/examination"
)

// reader is a program or a view of the server's, which reads and writes what is stored.
type reader struct {
	kind, schema, name string
	names              func(t *catalog.Table) bool
}

// readers are all programs and views that the account sees and that are not tunic's. Those that a
// client makes through tunic name no protected table. unseen are sentences on those that it does not see.
func (a *Audit) readers(ctx context.Context, known *catalog.Catalog) (all []reader, unseen []string, err error) {
	sight, err := bystander.Sees(ctx, a.Ledger.DB)
	if err != nil {
		return nil, nil, err
	}
	unseen = sight.Says()
	programs, err := bystander.Programs(ctx, a.Ledger.DB, "", "", true)
	if err != nil {
		return nil, nil, err
	}
	for i := range programs {
		p := &programs[i]
		if p.Hidden() {
			unseen = append(unseen, p.HiddenSays())
			continue
		}
		all = append(all, reader{p.Kind, p.Schema, p.Name, func(t *catalog.Table) bool { return p.Names(t.Schema, t.Name) }})
	}
	views, err := bystander.Views(ctx, a.Ledger.DB, "")
	for i := range views {
		if v := &views[i]; known.View(v.Schema, v.Name) == nil {
			all = append(all, reader{"view", v.Schema, v.Name, v.Reads})
		}
	}
	return all, unseen, err
}

// read tells which of the readers name the table, or view.
func (found *Table) read(readers []reader, t *catalog.Table) {
	for _, r := range readers {
		switch {
		case !r.names(t):
		case r.kind == "view":
			found.Mismatches = append(found.Mismatches, examination.Mismatch{Of: r.kind, Name: r.schema + "." + r.name, Problem: "not made by tunic"})
		default:
			found.Programs = append(found.Programs, r.kind+" "+r.schema+"."+r.name)
		}
	}
}
