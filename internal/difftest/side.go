package difftest

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"tunic/internal/wire"
)

// Target is what a client of one side connects to.
type Target struct {
	Name string // "direct", "tunic"
	Addr string
}

// side is a script's sessions on one of the two servers.
type side struct {
	target   Target
	config   *Config
	caps     wire.Capability
	defaults SessionSpec
	sessions map[string]*session
	ids      map[string]uint32 // connection numbers by session, ended sessions included
}

func newSide(t Target, c *Config, caps wire.Capability) *side {
	return &side{
		target: t, config: c, caps: caps,
		defaults: SessionSpec{User: appUser, Password: appPassword, Database: Database},
		sessions: map[string]*session{}, ids: map[string]uint32{},
	}
}

// step runs one step and returns every reply it brought.
func (s *side) step(ctx context.Context, step *Step) []Reply {
	if step.Kind == StepReap {
		return s.reap(step.Session.Name)
	}
	x, replies := s.session(ctx, step.Session)
	if x == nil {
		return replies
	}
	if step.Background {
		x.pending = make(chan []Reply, 1)
		go func() { x.pending <- x.run(step) }()
		return replies
	}
	return s.finished(x, append(replies, x.run(step)...))
}

// session returns the session, which logs in on its first step and on the first
// step after it has been cut off.
func (s *side) session(ctx context.Context, spec SessionSpec) (*session, []Reply) {
	if x := s.sessions[spec.Name]; x != nil {
		return x, nil
	}
	x, replies := s.open(ctx, spec)
	if x != nil {
		s.sessions[spec.Name] = x
		s.ids[spec.Name] = x.client.greeting.ConnectionID
	}
	return x, replies
}

func (s *side) reap(name string) []Reply {
	x := s.sessions[name]
	if x == nil || x.pending == nil {
		return []Reply{{Label: "reap", Broken: "no background step in session " + name}}
	}
	replies := <-x.pending
	x.pending = nil
	return s.finished(x, replies)
}

// finished forgets a session whose connection has ended.
func (s *side) finished(x *session, replies []Reply) []Reply {
	if len(replies) > 0 && replies[len(replies)-1].Broken != "" {
		delete(s.sessions, x.spec.Name)
	}
	return replies
}

// close ends all sessions. One whose background step nobody has reaped, as in a
// script that was abandoned, is cut off: its client is not ours to write with.
func (s *side) close() {
	for _, x := range s.sessions {
		if x.pending != nil {
			x.client.Close()
			<-x.pending
			continue
		}
		x.client.roundTrip("quit", []byte{byte(wire.ComQuit)}, nil)
		x.client.Close()
	}
	clear(s.sessions)
}

func (s *side) connectionID(session string) uint32 { return s.ids[session] }

var connectionMark = regexp.MustCompile(`\$\{connection(:[a-z0-9]+)?\}`)

// substitute replaces ${connection} and ${connection:NAME} by the number the
// server's greeting gave that session.
func (s *side) substitute(text string, x *session) string {
	if !strings.Contains(text, "${connection") {
		return text
	}
	return connectionMark.ReplaceAllStringFunc(text, func(mark string) string {
		name := strings.TrimSuffix(strings.TrimPrefix(mark, "${connection"), "}")
		if name == "" {
			return fmt.Sprint(x.client.greeting.ConnectionID)
		}
		return fmt.Sprint(s.connectionID(name[1:]))
	})
}
