package ddl

import (
	"context"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/value"
)

// plainServer is what a server says, and how it is asked, of a change that a plain server would make of the
// rows, over the client's connection.
type plainServer struct {
	client Client
	env    *value.Env
	flavor value.Flavor
}

// given is what rows get in a new column; false where what a server would give them
// is not known.
func (p *plainServer) given(ctx context.Context, c *catalog.Column) ([]byte, bool, error) {
	switch c.Default.Kind {
	case catalog.DefaultValue:
		return append([]byte{}, c.Default.Canonical...), true, nil
	case catalog.DefaultNow:
		now, err := p.now(ctx)
		return value.AppendNow(nil, c.Type.Kind, now, c.Default.Fraction, p.env), true, err
	default:
	}
	return value.AppendImplicitDefault([]byte{}, &c.Type), definition.KnowsImplicit(c), nil
}
