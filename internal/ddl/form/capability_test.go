package form

import (
	"slices"
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

// TestEachScheme: the width of the tokens of each scheme is known, and each is that of some new layer, or of what is no token.
func TestEachScheme(t *testing.T) {
	at := column(t, "c", "int")
	var made []catalog.Scheme
	for _, typ := range []string{"int", "bigint", "varchar(40)"} {
		of := column(t, "c", typ)
		for _, c := range policy.Each() {
			l, err := NewLayer(&of, c, policy.Grain{})
			if err != nil {
				t.Error(err)
			}
			made = append(made, l.Scheme)
		}
	}
	for s := catalog.NoScheme + 1; s.String() != ""; s++ {
		l := catalog.Layer{Scheme: s}
		if TokenBytes(&l, &at.Type) == 0 {
			t.Errorf("%v: nobody knows how long its tokens are (TokenBytes)", s)
		}
		if !l.Bare() && !slices.Contains(made, s) {
			t.Errorf("%v: no new layer is of it (NewLayer, or the types above)", s)
		}
	}
}
