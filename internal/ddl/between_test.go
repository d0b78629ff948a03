package ddl

import (
	"testing"
)

// TestBetweenSteps: what a table has between the steps of an encryption and of a decryption is
// known for what it is.
func TestBetweenSteps(t *testing.T) {
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		p.plainBoth(encryptedTable)
		p.plainBoth(encryptedRows...)
		look := func(what string, i int) {
			t.Helper()
			known := b.ledger.Catalog()
			at := known.Table("shop", "x")
			if at == nil {
				return
			}
			found, err := Examine(t.Context(), b.client.conn, known, at)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range found {
				if !m.Between() {
					t.Errorf("%s, after step %d: %+v", what, i, m)
				}
			}
			if waits := what == "encrypt" && i == 3 || what == "decrypt" && i == 4; waits != (len(found) > 0) {
				t.Errorf("%s, after step %d: %v", what, i, found)
			}
		}
		for i, step := range b.definer.stagesOf(b.encryption("x")) {
			b.mustStep(step)
			look("encrypt", i)
		}
		for i, step := range b.decrypting() {
			b.mustStep(step)
			look("decrypt", i)
		}
	})
}
