package audit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/ddl/examination"
	"tunic/internal/policy"
)

// TestPlainLeft: whatever an encryption or a decryption has left in the clear is told, and the table is not good.
func TestPlainLeft(t *testing.T) {
	sealed := func(name string) catalog.Column { return catalog.Column{Name: name, Protection: policy.Sealed} }
	copied := sealed("name$copy")
	copied.Shadows = "name"
	bare := sealed("name")
	bare.Layers = []catalog.Layer{{Capability: catalog.PlainForm, Stored: "name$bare"}}
	between := func(of, name string) examination.Mismatch {
		return examination.Mismatch{Of: of, Name: name, Problem: "between steps"}
	}
	for name, c := range map[string]struct {
		table *catalog.Table
		found []examination.Mismatch
		want  []Plain
	}{
		"protected":      {&catalog.Table{Columns: []catalog.Column{sealed("name")}}, nil, nil},
		"being copied":   {&catalog.Table{Columns: []catalog.Column{{Name: "name"}, copied}}, nil, []Plain{{"name", "encrypt"}}},
		"exchanged":      {&catalog.Table{Columns: []catalog.Column{sealed("Name")}}, []examination.Mismatch{between("column", "Name"), between("column", "Name$plain")}, []Plain{{"Name", "encrypt"}}},
		"not anew":       {&catalog.Table{Columns: []catalog.Column{sealed("name")}}, []examination.Mismatch{between("column", "name")}, []Plain{{"", "encrypt"}}},
		"only a key":     {&catalog.Table{Columns: []catalog.Column{sealed("name")}}, []examination.Mismatch{between("key", "key$0")}, nil},
		"being bared":    {&catalog.Table{Columns: []catalog.Column{bare}}, nil, []Plain{{"name", "decrypt"}}},
		"bared, aborted": {&catalog.Table{Bared: true, Columns: []catalog.Column{{Name: "name"}}}, nil, []Plain{{"", "decrypt"}}},
	} {
		got := plainOf(c.table, c.found)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if (&Table{Plain: got}).Good() != (len(c.want) == 0) {
			t.Errorf("%s: good is wrong", name)
		}
	}
}
