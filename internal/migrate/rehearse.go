package migrate

import (
	"context"

	"tunic/internal/ddl/form"
	"tunic/internal/ddl/rehearsal"
)

// Rehearse measures how fast this server is with a table like the one that was looked at; see
// rehearsal.Run.
func (w *Work) Rehearse(ctx context.Context, p *Plan) (rehearsal.Times, error) {
	if p.Would == nil || len(p.Columns) == 0 {
		return rehearsal.Times{}, nil
	}
	rest := 0
	if p.Rows > 0 {
		rest = int(p.Bytes / p.Rows)
	}
	for _, c := range p.Columns {
		rest -= form.ValueBytes(&p.Would.Columns[p.Would.Column(c.Name)].Type, p.lengths[c.Name])
	}
	return rehearsal.Run(ctx, w.DB, w.Ledger.Tree(), p.Would, p.lengths, max(rest, 0))
}
