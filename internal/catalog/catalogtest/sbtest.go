// Package catalogtest has tables that the tests of several rooms are about, as a catalog
// has them. They stand on no server: who needs stored tables makes them, and who needs
// keys takes those of package keystest.
package catalogtest

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// Values of the columns c and pad, as sysbench makes them.
const (
	SbtestC   = "68487932199-96439406143-93774651418-41631865787-96406072701-20604855487-25459966574-28203206787-41238978918-19503783441"
	SbtestPad = "22195207048-70116052123-74140395089-76317954521-98694025897"
)

// Sbtest is a catalog with test.sbtest1, the table of sysbench, every column but the
// first protected.
func Sbtest(tb testing.TB) *catalog.Catalog {
	tb.Helper()
	types := catalog.TypesOf(value.MySQL)
	column := func(n byte, name, typ, collation string, layers ...catalog.Layer) catalog.Column {
		parsed, err := types(typ, collation, true)
		if err != nil {
			tb.Fatal(err)
		}
		return catalog.Column{
			ID: catalog.ID{n}, Domain: catalog.ID{n}, Name: name, TypeText: typ, CollationName: collation, Type: parsed,
			Protection: policy.Protection{Protected: true, Allowed: policy.Equality}, Layers: layers,
		}
	}
	id := column(1, "id", "int", "")
	id.Protection, id.Domain, id.AutoIncrement = policy.Protection{}, catalog.ID{}, true
	t := &catalog.Table{
		ID: catalog.ID{9}, Schema: "test", Name: "sbtest1", Twin: "t_9", Revision: 1, Fenced: true,
		Columns: []catalog.Column{
			id,
			column(2, "k", "int", "", catalog.Layer{Capability: policy.Equality, Scheme: catalog.PRP64, State: catalog.Ready, Stored: "k$eq"}),
			column(3, "c", "char(120)", "utf8mb4_general_ci"),
			column(4, "pad", "char(60)", "utf8mb4_general_ci"),
		},
	}
	if err := t.Check(); err != nil {
		tb.Fatal(err)
	}
	return catalog.New(false).Next(1, nil, []*catalog.Table{t})
}
