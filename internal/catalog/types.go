package catalog

import (
	"fmt"

	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// TypesOf reads types as the servers of a flavor write them.
func TypesOf(flavor charset.Flavor) Types {
	return func(typeText, collation string, notNull bool) (value.Type, error) {
		var c *charset.Collation
		if collation != "" {
			known, ok := charset.Lookup(flavor, collation)
			if !ok {
				return value.Type{}, fmt.Errorf("%w: a collation that this version does not know", ErrContent)
			}
			c = known
		}
		t, err := value.Parse(typeText, c)
		if err != nil {
			return value.Type{}, fmt.Errorf("%w: a type that this version does not know", ErrContent)
		}
		t.NotNull = notNull
		return *t, nil
	}
}
