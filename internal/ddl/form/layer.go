package form

import (
	"strconv"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/scheme/cmac"
	"tunic/internal/scheme/prp64"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// TokenBytes is the length of a layer's tokens. A token of the order layer has a
// nibble for each bit.
func TokenBytes(l *catalog.Layer, t *value.Type) int {
	switch l.Scheme {
	case catalog.AsIs:
		return rowBytes(t)
	case catalog.PRP64:
		return prp64.TokenSize
	case catalog.CMAC:
		return cmac.TokenSize
	case catalog.ORD1:
		return value.OrderBits(t) / 2
	default:
		return 0 // which no server takes
	}
}

// Exact reports whether equal tokens of a layer are equal values and nothing else.
func Exact(l *catalog.Layer, t *value.Type) bool {
	return l.Capability == policy.Equality || l.Grain == policy.Grain{} && value.OrderExact(t)
}

// TokenType is the type of a layer's column.
func TokenType(l *catalog.Layer, t *value.Type) string {
	return "binary(" + strconv.Itoa(TokenBytes(l, t)) + ")"
}

// TakesNull says that a layer's column takes NULL though the logical one does not.
func TakesNull(l *catalog.Layer) bool { return l.Nullable || l.State == catalog.Backfilling }

// NewLayer is a column's layer of a capability; one that sorts has the grain. It fails where
// the type or its collation cannot have one.
func NewLayer(c *catalog.Column, capability policy.Capabilities, grain policy.Grain) (catalog.Layer, error) {
	l := catalog.Layer{Capability: capability, State: catalog.Ready, Stored: catalog.StoredName(c.Name, capability)}
	word := "equality"
	base := catalog.Base(capability)
	if base == policy.Order {
		word = "order"
	}
	if !value.Ordered(&c.Type) {
		if c.Type.Kind.IsText() {
			return l, sqlerr.NoLayer(c.Name, word, "its collation is not known exactly")
		}
		return l, sqlerr.NoLayer(c.Name, word, "values of its type are not compared as they are written")
	}
	switch {
	case base == policy.Order && !value.SuitsGrain(&c.Type, grain):
		return l, sqlerr.OrderGrain(c.Name)
	case base == policy.Order:
		l.Scheme, l.Grain = catalog.ORD1, grain
	case value.FixedBytes(&c.Type) == prp64.TokenSize:
		l.Scheme = catalog.PRP64
	default:
		l.Scheme = catalog.CMAC
	}
	return l, nil
}
