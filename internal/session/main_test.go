package session

import (
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"testing"
	"time"

	"tunic/internal/admission"
	"tunic/internal/backend"
	"tunic/internal/config"
	"tunic/internal/login"
	"tunic/internal/metrics"
	"tunic/internal/plan"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/socket"
	"tunic/internal/sql"
	"tunic/internal/usage"
)

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m)) }

// shared is what sessions before the given server have in common.
func shared(tb testing.TB, address string) *Shared {
	tb.Helper()
	target, err := backend.NewTarget(config.Backend{Address: address, TLS: config.TLSDisabled, ConnectTimeout: time.Second})
	if err != nil {
		tb.Fatal(err)
	}
	options := metrics.Options{StatementActions: plan.ActionNames()}
	for _, kind := range sql.Kinds() {
		options.StatementKinds = append(options.StatementKinds, kind.String())
	}
	limits := config.Default().Limits
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	all := &Shared{
		Door:    admission.Door{Target: target, Metrics: metrics.New(options), Log: log, Refusals: log, LoginKey: new(login.Key)},
		Planner: plan.New(plan.Options{Usage: usage.NewTop(usage.Entries)}),
	}
	all.Set(&Settings{Rules: admission.Rules{Limits: limits}})
	return all
}

// startSession runs one session over real sockets and returns the client's end.
// The session may be looked into once wait has returned.
func startSession(tb testing.TB, all *Shared) (client net.Conn, s *Session, wait func()) {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer listener.Close()
	client, err = net.Dial("tcp", listener.Addr().String())
	if err != nil {
		tb.Fatal(err)
	}
	accepted, err := listener.Accept()
	if err != nil {
		tb.Fatal(err)
	}
	s = New(all, socket.New(accepted))
	done := make(chan struct{})
	go func() { s.Run(context.Background()); close(done) }()
	wait = func() { _ = client.Close(); <-done }
	tb.Cleanup(wait)
	return client, s, wait
}
