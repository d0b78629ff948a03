package bench

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// What has begun is done to its end though the measurement is over, and given up where it has
// none.
func TestWithin(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := within(over, time.Minute, func(ctx context.Context) error { return ctx.Err() }); err != nil {
		t.Errorf("when the measurement is over: %v", err)
	}
	stuck := func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	if err := within(t.Context(), time.Millisecond, stuck); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no answer within 1ms") {
		t.Errorf("what does not end: %v", err)
	}
	own := errors.New("its own")
	if err := within(t.Context(), time.Minute, func(context.Context) error { return own }); err != own { //nolint:errorlint // as it is
		t.Errorf("got %v", err)
	}
}

// jobServer answers every query by one row, "17".
type jobServer struct{}

func (jobServer) Connect(context.Context) (driver.Conn, error) { return jobServer{}, nil }
func (jobServer) Driver() driver.Driver                        { return nil }
func (jobServer) Prepare(string) (driver.Stmt, error)          { return nil, errors.ErrUnsupported }
func (jobServer) Close() error                                 { return nil }
func (jobServer) Begin() (driver.Tx, error)                    { return nil, errors.ErrUnsupported }

func (jobServer) QueryContext(context.Context, string, []driver.NamedValue) (driver.Rows, error) {
	return new(jobRows), nil
}

type jobRows struct{ read bool }

func (*jobRows) Columns() []string { return []string{"id"} }
func (*jobRows) Close() error      { return nil }

func (r *jobRows) Next(to []driver.Value) error {
	if r.read {
		return io.EOF
	}
	r.read, to[0] = true, "17"
	return nil
}

// A job that never ends is told of.
func TestAwaitJobs(t *testing.T) {
	db := sql.OpenDB(jobServer{})
	defer db.Close()
	if err := awaitJobs(t.Context(), db, 0); err == nil || !strings.Contains(err.Error(), "jobs [17] have not ended within") {
		t.Errorf("got %v", err)
	}
}
