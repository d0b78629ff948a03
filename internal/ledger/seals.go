package ledger

import (
	"context"
	"database/sql"
	"fmt"

	"tunic/internal/keys"
)

// How many values a key has sealed is added up over all tunics and their lives, since a key is
// good for so many (NIST SP 800-38D, 8.3). It is not under the root, so that nobody waits for it,
// and it is in the clear: who puts a lower number there has a key serve longer than it should, by
// what the tunics that run have added before.
//
//	seals.domain  the column's id
//	seals.epoch   the key's
//	seals.sealed  about how many values it has sealed

// AddSeals adds to what keys have sealed.
func (l *Ledger) AddSeals(ctx context.Context, more map[keys.Use]uint64) error {
	for use, n := range more {
		_, err := l.o.DB.ExecContext(ctx, "INSERT INTO "+seals+" (domain, epoch, sealed) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE sealed = sealed + VALUES(sealed)",
			use.Domain[:], use.Epoch, n)
		if err != nil {
			return fmt.Errorf("count what keys have sealed: %w", err)
		}
		delete(more, use)
	}
	return nil
}

// Seals are what keys have sealed.
func (l *Ledger) Seals(ctx context.Context) (map[keys.Use]uint64, error) {
	return ReadSeals(ctx, l.o.DB)
}

// ReadSeals are what keys have sealed, for who does not hold the ledger.
func ReadSeals(ctx context.Context, db *sql.DB) (map[keys.Use]uint64, error) {
	rows, err := db.QueryContext(ctx, "SELECT domain, epoch, sealed FROM "+seals)
	if err != nil {
		return nil, fmt.Errorf("read what keys have sealed: %w", err)
	}
	defer func() { _ = rows.Close() }()
	all := map[keys.Use]uint64{}
	for rows.Next() {
		var use keys.Use
		var domain []byte
		var n uint64
		if err := rows.Scan(&domain, &use.Epoch, &n); err != nil {
			return nil, fmt.Errorf("read what keys have sealed: %w", err)
		}
		if copy(use.Domain[:], domain) == len(use.Domain) {
			all[use] = n
		}
	}
	return all, rows.Err()
}

// ForgetSeals forgets what a key has sealed that nothing is sealed with any more.
func (l *Ledger) ForgetSeals(ctx context.Context, use keys.Use) error {
	_, err := l.o.DB.ExecContext(ctx, "DELETE FROM "+seals+" WHERE domain = ? AND epoch = ?", use.Domain[:], use.Epoch)
	return err
}
