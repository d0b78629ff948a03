package migrate

import (
	"context"

	"tunic/internal/ddl"
	"tunic/internal/ddl/form"
)

// Rehearse measures how fast this server is with a table like the one that was looked at; see
// ddl.Definer.Rehearse.
func (w *Work) Rehearse(ctx context.Context, p *Plan) (ddl.Rehearsal, error) {
	if p.Would == nil || len(p.Columns) == 0 {
		return ddl.Rehearsal{}, nil
	}
	rest := 0
	if p.Rows > 0 {
		rest = int(p.Bytes / p.Rows)
	}
	for _, c := range p.Columns {
		rest -= form.ValueBytes(&p.Would.Columns[p.Would.Column(c.Name)].Type, p.lengths[c.Name])
	}
	return w.Definer.Rehearse(ctx, p.Would, p.lengths, max(rest, 0))
}
