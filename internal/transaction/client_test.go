package transaction

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
)

// TestClient: a client goes by the catalog of all unless it has something of its own, or may not name fences.
func TestClient(t *testing.T) {
	table := &catalog.Table{ID: catalog.ID{1}, Schema: "shop", Name: "t", Twin: "t1", Fenced: true}
	all := catalog.New(false).Next(1, nil, []*catalog.Table{table})
	var c Client
	if c.Owns(all) || c.Passes(all) || c.Of(all, false) != all || c.Fenced(all) != all {
		t.Error("a catalog of its own, without a reason")
	}
	without := c.Of(all, true)
	if without == all || without.Table("shop", "t").Fence() != "" || c.Of(all, true) != without {
		t.Error("it names fences, or is made anew")
	}
	own := &catalog.Table{ID: catalog.ID{2}, Schema: "shop", Name: "mine", Twin: "t2"}
	c.Temporaries.Change(ddl.Result{Temporary: own})
	if !c.Owns(all) || c.Of(all, false).Table("shop", "mine") == nil || c.Fenced(all).Table("shop", "t") != table {
		t.Error("its own tables are not beside those of all")
	}
}
