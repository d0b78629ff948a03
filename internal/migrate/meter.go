package migrate

import (
	"context"
	"time"

	"tunic/internal/layers"
)

// meter hears how many rows have been gone through, and keeps to a rate. How far the work is
// it does not keep: rows tell what they lack.
type meter struct {
	rate  int
	began time.Time
	rows  int64
	tell  func(rows, expected int64)
}

func (m *meter) Load(context.Context) ([]byte, error) { return nil, nil }

func (m *meter) Save(_ context.Context, _ layers.Link, at layers.Mark) error {
	m.rows = at.Done
	m.tell(at.Done, at.Expected)
	return nil
}

// gate is before each chunk, outside of a transaction.
func (m *meter) gate(ctx context.Context) error {
	if m.rate <= 0 {
		return ctx.Err()
	}
	ahead := time.Duration(float64(m.rows)/float64(m.rate)*float64(time.Second)) - time.Since(m.began)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(ahead):
		return nil
	}
}
