package bench

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// answerLimit is how long a transaction, or a statement of its own, may take that comes to its
// end though the measurement is over: longer than a server waits for a lock by default.
const answerLimit = 2 * time.Minute

// within does something to its end, also where ctx has ended meanwhile: what a model knows
// has to be so. What has no end is given up after a time, and is an error.
func within(ctx context.Context, limit time.Duration, do func(context.Context) error) error {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	err := do(limited)
	if err != nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("no answer within %s: %w", limit, err)
	}
	return err
}
