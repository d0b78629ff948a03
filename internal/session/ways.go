package session

import (
	"tunic/internal/plan"
	"tunic/internal/wire"
)

// way is how a statement with one action is done, in each way in which a client may have it done. What a
// session does by the action of a plan is here: an action that is none of these is refused in all of them.
type way struct {
	// text does a text, other than one that the server gets as the bytes that came.
	text func(*Session, *plan.Plan, wire.Query) error
	// prepare prepares the text of a COM_STMT_PREPARE.
	prepare func(s *Session, p *plan.Plan, payload []byte) error
	// name prepares the text of a PREPARE, and immediate does that of an EXECUTE IMMEDIATE.
	name, immediate func(*named, *Session) error
	traits          trait
}

// trait is what else is to be known of an action.
type trait uint8

const (
	// moves: it is done also where another schema has become the current one since it was prepared.
	moves trait = 1 << iota
	// takes: it is done with values behind USING.
	takes
	// refuses: nothing is prepared.
	refuses
)

func (w way) is(t trait) bool { return w.traits&t != 0 }

// wayOf is how statements with an action are done.
func wayOf(a plan.Action) way {
	switch a.(type) {
	case *plan.Forward:
		return way{(*Session).forwardQuery, (*Session).forwardPrepare, (*named).prepareForwarded, (*named).doForwarded, 0}
	case *plan.Execute:
		return way{(*Session).executeQuery, (*Session).prepareRun, (*named).prepareRun, (*named).do, moves | takes}
	case *plan.Explain:
		return way{(*Session).explainQuery, (*Session).prepareExplain, (*named).keep, (*named).do, takes}
	case *plan.Introspect:
		return way{(*Session).introspectQuery, (*Session).prepareInquiry, (*named).keep, (*named).do, takes}
	case *plan.Define, *plan.DefineView, *plan.Grant:
		return way{(*Session).defining, (*Session).prepareDefinition, (*named).prepareDefinition, (*named).do, 0}
	case *plan.SetVariables:
		return way{(*Session).assign, (*Session).prepareAssigned, (*named).keep, (*named).do, takes}
	case *plan.Fold:
		return way{(*Session).foldText, (*Session).prepareFolded, (*named).keep, (*named).do, takes}
	case *plan.Call:
		return way{(*Session).call, (*Session).prepareCall, (*named).keep, (*named).do, takes}
	case *plan.ByName:
		return way{(*Session).byName, (*Session).prepareByName, (*named).leaveToServer, (*named).doInVain, takes}
	case *plan.Each:
		return way{(*Session).refusePlanned, (*Session).prepareSeveral, (*named).refuseSeveral, (*named).refuseSeveral, takes | refuses}
	case *plan.Refuse:
	}
	return way{(*Session).refusePlanned, (*Session).prepareRefused, (*named).refuse, (*named).refuseNow, moves | takes | refuses}
}

// refusePlanned answers a text whose plan does not let it pass.
func (s *Session) refusePlanned(p *plan.Plan, q wire.Query) error {
	return s.refuseText(p.Refusal(), p, q.Text, false)
}

// prepareRefused is refusePlanned for what is to be prepared.
func (s *Session) prepareRefused(p *plan.Plan, payload []byte) error {
	s.count(p)
	return s.refuseText(p.Refusal(), p, payload[1:], true)
}

// prepareSeveral refuses to prepare several statements, as servers do.
func (s *Session) prepareSeveral(p *plan.Plan, payload []byte) error {
	return s.refuseSeveral(p, payload[1:])
}
