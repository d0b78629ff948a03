package ddl

import (
	"context"
	"strconv"
	"time"

	"tunic/internal/ddl/service"
	"tunic/internal/sqlerr"
)

func (w *work) plainServer() *plainServer { return &plainServer{w.client, &w.session.Env, w.o.Flavor} }

func (w *work) patience() *patience { return &patience{w.Upkeep, w.session.Locked} }

// service opens the connection.
func (w *work) service(ctx context.Context) (*service.Connection, error) {
	if w.session.Frozen != nil { // a temporary table, for which nobody waits at the server
		return nil, sqlerr.StatementRefused("a definition under FLUSH TABLES WITH READ LOCK")
	}
	theirs, err := w.client.Query(ctx, service.ShowSettings())
	if err != nil {
		return nil, err
	}
	s, err := service.Connect(ctx, w.o.DB, &w.services, theirs)
	if err != nil {
		return nil, err
	}
	if w.session.Locked {
		s.Spent = true
		err = s.Exec(ctx, "SET SESSION lock_wait_timeout = "+strconv.Itoa(int(WaitLocked/time.Second)))
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}
