package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"math/rand/v2"

	"github.com/go-sql-driver/mysql"
)

// bigBytes is more than one packet of the protocol can carry (16 MiB - 1).
const bigBytes = 20 << 20

func largePackets(c *mysql.Config) { c.MaxAllowedPacket = 3 * bigBytes }

var sizeChecks = []check{
	{"big.text", with(big("big_text"), largePackets, func(c *mysql.Config) { c.InterpolateParams = true })},
	{"big.binary", with(big("big_binary"), largePackets)},
	{"rows.stream", with(rowsStream)},
	{"rows.cursor", skip("the driver opens no server-side cursors")},
	{"rows.abandon", with(rowsAbandon)},
}

func sha256Hex(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// randomBytes returns the same incompressible bytes every time; all 256 values
// occur, so everything that needs escaping does.
func randomBytes(n int) []byte {
	b := make([]byte, n)
	source := rand.NewChaCha8([32]byte{1})
	_, _ = source.Read(b)
	return b
}

func big(table string) func(context.Context, *session) error {
	return func(ctx context.Context, s *session) error {
		if err := s.exec(ctx, "CREATE TABLE "+table+" (id INT, v LONGBLOB)"); err != nil {
			return err
		}
		sent := randomBytes(bigBytes)
		if _, err := s.ExecContext(ctx, "INSERT INTO "+table+" VALUES (?, ?)", 1, sent); err != nil {
			return err
		}
		if err := s.expect(ctx, sha256Hex(sent), "SELECT SHA2(v, 256) FROM "+table); err != nil {
			return err
		}
		var got []byte
		if err := s.QueryRowContext(ctx, "SELECT v FROM "+table+" WHERE id = ?", 1).Scan(&got); err != nil {
			return err
		}
		return equal("what came back is what was sent", bytes.Equal(got, sent), true)
	}
}

func rowsStream(ctx context.Context, s *session) error {
	rows, err := s.QueryContext(ctx, "SELECT n, label FROM clients.numbers ORDER BY n")
	if err != nil {
		return err
	}
	defer rows.Close()
	var n, id, sum int
	var label sql.RawBytes
	for ; rows.Next(); n++ {
		if err := rows.Scan(&id, &label); err != nil {
			return err
		}
		sum += id + len(label)
	}
	return errors.Join(rows.Err(), equal("rows", n, 100_000), equal("sum", sum, 4999950000+8888890))
}

func rowsAbandon(ctx context.Context, s *session) error {
	rows, err := s.QueryContext(ctx, "SELECT n, label FROM clients.numbers")
	if err != nil {
		return err
	}
	for range 10 {
		rows.Next()
	}
	return errors.Join(rows.Close(), selectOne(ctx, s))
}
