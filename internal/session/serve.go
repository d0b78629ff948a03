package session

import (
	"errors"
	"time"

	"tunic/internal/failure"
	"tunic/internal/parting"
	"tunic/internal/socket"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// errQuit ends a session whose client has said goodbye.
var errQuit = errors.New("quit")

// serve reads commands and has them done until something ends the session, and
// returns what did. The client has been told why by then, if it still listens.
func (s *Session) serve() error {
	s.parting.Arrives(s.response.Status)
	for {
		payload, err := s.nextCommand()
		if err != nil {
			return err
		}
		s.mark.set(PhaseBusy)
		answered := len(payload) == 0 || wire.Command(payload[0]).Answered()
		if err := s.command(payload); err != nil {
			return err
		}
		s.attempt.Lands()
		if answered { // clients close statements in between
			s.parting.Answered(s.response.Status)
		}
	}
}

// nextCommand waits for the client.
func (s *Session) nextCommand() ([]byte, error) {
	s.giveMemory()
	s.pause()
	for {
		if e := s.ending.Why(); e != parting.NotYet {
			if err := s.mayGoOn(e); err != nil {
				return nil, err
			}
		}
		s.client.SetSequence(0)
		payload, err := s.client.ReadPacket()
		if s.memory.Any() && err == nil {
			err = s.correct(payload)
		}
		if err == nil {
			s.ending.Hears(&s.parting)
			return payload, nil
		}
		// What was not read is refused before it is known to be a statement.
		if e, refused := errors.AsType[*sqlerr.Error](err); refused {
			if err = s.fail(e); err != nil {
				return nil, err
			}
			s.giveMemory()
			s.pause()
			continue
		}
		if s.woken(err) {
			continue
		}
		if answer := failure.OfClient(err); answer != nil {
			_ = s.fail(answer)
		}
		return nil, err
	}
}

// woken reports whether there is no command to be done, and the client is to be waited for again:
// a part of a parameter was dropped, or the wait has ended at a time that was set.
func (s *Session) woken(err error) bool {
	interrupted := failure.IsTimeout(err) && !errors.Is(err, wire.ErrInterrupted)
	switch {
	case errors.Is(err, errDropped):
	case interrupted && s.ending.Why() != parting.NotYet:
		return true
	case interrupted && s.memory.HasAhead():
		s.dropAllAhead()
	default:
		return false
	}
	_ = s.socket.SetReadDeadline(time.Time{})
	s.giveMemory()
	return true
}

// pause publishes that the session waits for its client, and takes over what the
// last answer's flags tell.
func (s *Session) pause() {
	s.state.Status(s.response.Status)
	s.endsTransaction()
	if s.exec != nil {
		s.exec.Recall().Settle()
	}
	if s.response.Failed { // an error has no flags
		s.transaction.Touched.Fails(s.response.ErrNumber)
	}
	if s.response.Status&wire.StatusInTransaction != 0 {
		s.mark.set(PhaseTransaction)
		return
	}
	s.transaction.Touched.Clear()
	s.mark.set(PhaseIdle)
}

// mayGoOn decides for a session that is told to end and is between commands.
func (s *Session) mayGoOn(e parting.End) error {
	if e == parting.Draining {
		if goesOn, err := s.ending.Leaves(&s.parting, s.keeps()); goesOn || err != nil {
			return err
		}
	}
	_ = s.socket.SetDeadline(time.Now().Add(parting.Farewell))
	s.client.SetSequence(0) // nobody has asked for it
	switch e {
	case parting.Gone:
		return s.serverLeft(errLeft)
	case parting.Idle:
		return s.refuseAndEnd(sqlerr.IdleTimeout(s.current.Limits.IdleTimeout), errIdle)
	default:
		socket.Cork(s.socket, false)
		return s.refuseAndEnd(sqlerr.ShuttingDown(), parting.ErrDrained)
	}
}

// What ends a session that tunic ends itself, after the client was told.
var (
	errIdle = errors.New("the client was idle for too long")
	errLeft = errors.New("the server has closed the session")
)

// refuseAndEnd tells the client why the session ends, as the next packet: the
// answer to what it has sent, if it has sent anything.
func (s *Session) refuseAndEnd(e *sqlerr.Error, err error) error {
	_ = s.fail(e)
	return err
}
