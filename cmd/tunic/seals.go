package main

import (
	"context"
	"log/slog"
	"time"

	"tunic/internal/crypt"
	"tunic/internal/ledger"
)

// addSealsLimit is how long a command that is done waits for the ledger.
const addSealsLimit = 5 * time.Second

// addSeals tells the ledger what a command has sealed, also when it was ended.
func addSeals(ctx context.Context, held *ledger.Ledger, seals *crypt.Seals, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), addSealsLimit)
	defer cancel()
	if err := held.AddSeals(ctx, seals.Take()); err != nil {
		log.Warn("what keys have sealed is not counted", "cause", err)
	}
}
