package sql

import (
	"testing"
)

// TestSnapshotAtOnce: which beginnings of a transaction make its snapshot.
func TestSnapshotAtOnce(t *testing.T) {
	for text, at := range map[string]bool{
		"BEGIN":                       false,
		"begin work; SELECT 1":        false,
		"START TRANSACTION READ ONLY": false,
		"start transaction with consistent snapshot":                  true,
		"START TRANSACTION READ WRITE, /*!WITH*/ CONSISTENT SNAPSHOT": true,
	} {
		all, err := Parse([]byte(text), 0)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if tx := all[0].Effects.Tx; !tx.Has(TxBegin) || tx.Has(TxSnapshot) != at {
			t.Errorf("%s: %b", text, tx)
		}
	}
	if all, err := Parse([]byte("BEGIN"), TiDB); err != nil || !all[0].Effects.Tx.Has(TxSnapshot) {
		t.Errorf("of a TiDB: %+v, %v", all, err)
	}
}
