package main

import (
	"context"
	"errors"

	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
)

// errClaimLost says that another process may have the table by now.
var errClaimLost = errors.New("the claim of the table is lost")

// alone does something with a table while no other command does, and stops when it may not be alone
// any more.
func alone(ctx context.Context, l *ledger.Ledger, schema, table string, do func(context.Context) error) error {
	claim, err := l.ClaimTable(ctx, schema, table)
	switch {
	case err != nil:
		return err
	case claim == nil:
		return sqlerr.MigrationUnderway()
	}
	defer claim.Release()
	ctx, end := claim.Context(ctx, errClaimLost)
	defer end()
	err = do(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errClaimLost) {
		return sqlerr.MigrationUnderway()
	}
	return err
}
