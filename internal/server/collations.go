package server

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"tunic/internal/backend"
	"tunic/internal/sqlerr"
	"tunic/internal/value/charset"
)

// collationChecks ask the server, once for each collation that protected text has,
// whether it compares as tunic does.
type collationChecks struct {
	service *backend.Service
	log     *slog.Logger

	mu    sync.Mutex
	known map[*charset.Collation]error
}

func newCollationChecks(s *backend.Service, log *slog.Logger) *collationChecks {
	return &collationChecks{service: s, log: log, known: make(map[*charset.Collation]error)}
}

// collationWait bounds the question.
const collationWait = 10 * time.Second

// check is nil for a collation that may be used. A server that does not answer is
// asked again the next time.
func (c *collationChecks) check(collation *charset.Collation) error {
	if collation == nil {
		return nil
	}
	if exact, _ := collation.Exact(); !exact {
		return nil // nothing is compared by it
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err, asked := c.known[collation]; asked {
		return err
	}
	sample := collation.Sample()
	ctx, cancel := context.WithTimeout(context.Background(), collationWait)
	defer cancel()
	var answer string
	if err := c.service.DB().QueryRowContext(ctx, sample.Query).Scan(&answer); err != nil {
		return err
	}
	if err := sample.Verify(answer); err != nil {
		c.log.Error("a collation cannot be used", "collation", collation.Name, "error", err)
		c.known[collation] = sqlerr.OrdersOtherwise()
		return c.known[collation]
	}
	c.known[collation] = nil
	return nil
}
