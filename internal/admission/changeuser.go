package admission

import (
	"context"
	"time"

	"tunic/internal/failure"
	"tunic/internal/metrics"
	"tunic/internal/wire"
)

// ChangeUser logs the client in anew (COM_CHANGE_USER). What it had stays, if it is not admitted. An error is that
// of a server which could not be written to. Both connections have the deadlines of a login until Settle.
func (e *Entry) ChangeUser(m wire.ChangeUser) (Verdict, error) {
	as, refusal := e.Judge(string(m.User))
	if refusal != nil {
		e.logRefusal("change of user refused", failure.Code(refusal))
		e.door.Metrics.Login(metrics.LoginRefused).Inc()
		_ = e.host.Fail(refusal)
		return Broken, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), e.rules.Limits.HandshakeTimeout)
	defer cancel()
	deadline, _ := ctx.Deadline()
	_ = e.socket.SetDeadline(deadline)
	_ = e.Server.SetDeadline(deadline)
	x := e.exchange(m.Plugin)
	if m.NoPlugin {
		x.TakeForNative()
	}
	var err error
	if m.Answer, err = x.First(m.Answer); err != nil {
		e.loginFailed(err)
		return Broken, nil
	}
	m.Plugin = []byte(x.Plugin())
	e.Server.SetSequence(0)
	if err := e.Server.Send(wire.Bytes(m.AppendCommand(nil, e.Server.Capabilities))); err != nil {
		return Broken, err
	}
	ends := e.authenticate(ctx, x)
	if ends == Admitted {
		e.Account = as
		e.door.Metrics.Login(metrics.LoginOK).Inc()
	}
	return ends, nil
}

// Settle is behind a ChangeUser after which the session goes on.
func (e *Entry) Settle() {
	_ = e.socket.SetDeadline(time.Time{})
	_ = e.Server.SetDeadline(time.Time{})
}
