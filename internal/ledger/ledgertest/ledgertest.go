// Package ledgertest has ledgers for the tests of rooms that stand on one, and do not care how it
// came: it is made where there is none. What making one takes is for the tests of the ledger itself.
package ledgertest

import (
	"context"

	"tunic/internal/ledger"
)

// Open opens the ledger of a database, and makes it if there is none.
func Open(ctx context.Context, o ledger.Options) (*ledger.Ledger, error) {
	if _, _, err := ledger.Init(ctx, o); err != nil {
		return nil, err
	}
	return ledger.Open(ctx, o)
}
