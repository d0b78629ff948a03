package session

import (
	"strconv"

	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// last is what tunic knows of the last statement and the server does not.
type last struct {
	refused *sqlerr.Error // what was answered to it, if it was tunic that did
	// noted says that it was carried out and that there is more to say of it than the server does, or in other
	// words.
	noted bool
	// past is what there was to say of an earlier statement, which the server may still have in its list:
	// statements without tables leave it as it is.
	past pastOutcome
	// counts are what ROW_COUNT() and FOUND_ROWS() are of.
	counts rowCounts
}

// pastOutcome is what there was to say of a statement before the last one.
type pastOutcome struct {
	refused *sqlerr.Error
	noted   bool
	count   int // of the notices
}

func (p *pastOutcome) any() bool { return p.noted || p.refused != nil }

// isOwn reports whether tunic has something to say of the last statement, isRefused whether it is that tunic has
// answered it with an error, and isNoted whether it is of one that was carried out.
func (l *last) isOwn() bool { return l.refused != nil || l.noted }

func (l *last) isRefused() bool { return l.refused != nil }

func (l *last) isNoted() bool { return l.noted }

// refusal is the error; nil without one.
func (l *last) refusal() *sqlerr.Error { return l.refused }

// begins is before a statement that is carried out.
func (l *last) begins() { l.refused, l.noted = nil, false }

// anew is begins where what there was before is past, too.
func (l *last) anew() { l.refused, l.noted, l.past = nil, false, pastOutcome{} }

// forgets is where there is nothing to say but of a refusal.
func (l *last) forgets() { l.noted, l.past = false, pastOutcome{} }

// notes says whether there is something to say of what was carried out.
func (l *last) notes(something bool) { l.noted = something }

// refuses is when tunic answers with an error.
func (l *last) refuses(e *sqlerr.Error) {
	l.refused, l.past = e, pastOutcome{}
	l.counts.fail()
}

// passes is when the server has a list that is not of the past statement any more.
func (l *last) passes() { l.past = pastOutcome{} }

// hasPast reports whether there was something to say of an earlier statement.
func (l *last) hasPast() bool { return l.past.any() }

// leave is before a statement that the server gets: what there is to say, with so many notices, is past.
func (l *last) leave(notices int) {
	l.past = pastOutcome{l.refused, l.noted, notices}
	l.refused, l.noted = nil, false
}

// isPastOver reports whether there are not as many notices as there were.
func (l *last) isPastOver(notices int) bool { return l.past.noted && l.past.count != notices }

// recall makes the past outcome the one that is asked about.
func (l *last) recall() { l.refused, l.noted, l.past = l.past.refused, l.past.noted, pastOutcome{} }

// kept is an outcome that a statement of tunic's own must not change.
type kept struct {
	refused *sqlerr.Error
	noted   bool
	counts  rowCounts
}

// keep is the outcome now.
func (l *last) keep() kept { return kept{l.refused, l.noted, l.counts} }

// back is behind such a statement.
func (l *last) back(k kept) { l.refused, l.noted, l.counts = k.refused, k.noted, k.counts }

// uncertain reports whether the server does not know all counts of rows, or of warnings.
func (l *last) uncertain() (rows, warnings bool) {
	return !l.counts.known() || l.refused != nil, l.refused != nil || l.noted
}

// count is ROW_COUNT() or FOUND_ROWS(), where the server has counted so many; ok is false if nobody knows it.
func (l *last) count(asked sql.Count, servers string) (text []byte, ok bool) {
	of := l.counts.changed
	switch {
	case asked == sql.FoundRows:
		of = l.counts.found
	case l.refused != nil:
		of = counts{by: countedHere, n: -1}
	}
	switch of.by {
	case countedByServer:
		return []byte(servers), true
	case countedHere:
		return strconv.AppendInt(nil, of.n, 10), true
	default:
		return nil, false
	}
}
