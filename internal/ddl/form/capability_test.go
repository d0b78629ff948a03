package form

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
)

// TestEachCapability: no two capabilities get a layer of one scheme.
func TestEachCapability(t *testing.T) {
	of := map[catalog.Scheme]policy.Capabilities{}
	for _, typ := range []string{"int", "bigint", "varchar(40)"} {
		at := column(t, "c", typ)
		for _, c := range policy.Each() {
			l, err := NewLayer(&at, c, policy.Grain{})
			if err != nil {
				t.Error(err)
				continue
			}
			if other, ok := of[l.Scheme]; ok && other != c {
				t.Errorf("%s: %v and %v have one scheme (NewLayer)", typ, c, other)
			}
			of[l.Scheme] = c
		}
	}
}
