package server

import (
	"crypto/tls"
	"testing"
	"time"

	"tunic/internal/config"
	"tunic/internal/session"
	"tunic/internal/waittest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestServerLeavesIdleSessions: a session that waits for its client ends when its
// server leaves, with what the server has said before that and nothing else, and its
// place is free.
func TestServerLeavesIdleSessions(t *testing.T) {
	idle := wiretest.Err(4031, "HY000", "idle for too long")
	for _, c := range []struct {
		name  string
		steps []wiretest.Step
		want  uint16 // the error of the last word; 0 if there is none
	}{
		{"closes", []wiretest.Step{wiretest.Close}, 0},
		{"closes its side", []wiretest.Step{wiretest.HalfClose, wiretest.Drain}, 0},
		{"resets", []wiretest.Step{wiretest.Reset}, 0},
		{"says why", []wiretest.Step{wiretest.Sequence(0), wiretest.Send(idle), wiretest.Close}, 4031},
		{"says why in pieces", []wiretest.Step{wiretest.Sequence(0), wiretest.Trickle(idle), wiretest.Close}, 4031},
		{"says half of why", []wiretest.Step{wiretest.Sequence(0), wiretest.Truncate(9, idle), wiretest.Close}, 0},
		{"says why as a packet of something else", []wiretest.Step{wiretest.Sequence(7), wiretest.Send(idle), wiretest.Close}, 0},
		{"says that all is well", []wiretest.Step{wiretest.Sequence(0), wiretest.Send(wiretest.OK(wire.OK{})), wiretest.Close}, 0},
		{"says nonsense", []wiretest.Step{wiretest.SendRaw(noise(100)), wiretest.Close}, 0},
	} {
		for phase, status := range map[session.Phase]wire.Status{
			session.PhaseIdle: wire.StatusAutocommit, session.PhaseTransaction: wire.StatusInTransaction,
		} {
			t.Run(c.name+map[session.Phase]string{session.PhaseTransaction: ", in a transaction"}[phase], func(t *testing.T) {
				leaves := make(chan struct{})
				steps := append([]wiretest.Step{wiretest.Send(wiretest.OK(wire.OK{Status: status})), wiretest.Hold(leaves)}, c.steps...)
				proxy, addr := scripted(t, func(cfg *config.Config) { cfg.Limits.Connections = 2 }, steps...)
				p, err := victim(t, addr, 0)
				if err != nil {
					t.Fatal(err)
				}
				waittest.Until(t, "it waits for its client", func() bool { return phases(proxy)[phase] > 0 })
				close(leaves)
				waittest.Until(t, "its end", func() bool { proxy.look(time.Now()); return len(proxy.all()) == 1 })
				if number, sequence := lastWord(t, p); number != c.want || sequence != 0 && number != 0 {
					t.Errorf("last word: error %d as packet %d, want %d as packet 0", number, sequence, c.want)
				}
				if _, err := victim(t, addr, 0); err != nil {
					t.Errorf("its place is not free: %v", err)
				}
			})
		}
	}
}

// TestServerLeavesDuringDrain: a session that may finish its transaction while tunic
// drains has none to finish when its server is gone.
func TestServerLeavesDuringDrain(t *testing.T) {
	leaves := make(chan struct{})
	server := &wiretest.Server{Script: honest(
		wiretest.Send(wiretest.OK(wire.OK{Status: wire.StatusInTransaction})), wiretest.Hold(leaves), wiretest.Close,
	)}
	server.Start(t)
	s := serveUntilStopped(t, server.Addr, time.Hour)
	p, err := victim(t, s.addr, 0)
	if err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "in a transaction", func() bool { return phases(s.Server)[session.PhaseTransaction] == 1 })
	s.stop()
	waittest.Until(t, "it drains", s.draining.Load)
	close(leaves)
	if number, _ := lastWord(t, p); number != 0 {
		t.Errorf("last word: error %d, want none", number)
	}
	s.ended(t)
}

// TestServerLeavesWrapped: the last word reaches clients whose connection is encrypted
// or compressed as well.
func TestServerLeavesWrapped(t *testing.T) {
	for name, client := range map[string]wiretest.Client{
		"TLS":        {TLS: &tls.Config{InsecureSkipVerify: true}},
		"compressed": {Caps: wiretest.ClientCaps | wire.ClientCompress},
	} {
		t.Run(name, func(t *testing.T) {
			leaves := make(chan struct{})
			proxy, addr := scripted(t, nil, admit, wiretest.Hold(leaves), wiretest.Sequence(0),
				wiretest.Send(wiretest.Err(4031, "HY000", "idle for too long")), wiretest.Close)
			p := connect(t, addr)
			client.User = "victim"
			if err := client.Login(p); err != nil {
				t.Fatal(err)
			}
			close(leaves)
			waittest.Until(t, "its end", func() bool { proxy.look(time.Now()); return len(proxy.all()) == 1 })
			wantFarewell(t, p, 4031)
		})
	}
}
