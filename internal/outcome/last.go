package outcome

import (
	"strconv"

	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// Last is what tunic knows of the last statement and the server does not.
type Last struct {
	refused *sqlerr.Error // what was answered to it, if it was tunic that did
	// noted says that it was carried out and that there is more to say of it than the server does, or in other
	// words.
	noted bool
	// past is what there was to say of an earlier statement, which the server may still have in its list:
	// statements without tables leave it as it is.
	past pastOutcome
	// Counts are what ROW_COUNT() and FOUND_ROWS() are of.
	Counts Counts
}

// pastOutcome is what there was to say of a statement before the last one.
type pastOutcome struct {
	refused *sqlerr.Error
	noted   bool
	count   int // of the notices
	doubted bool
}

func (p *pastOutcome) any() bool { return p.noted || p.refused != nil }

// IsOwn reports whether tunic has something to say of the last statement.
func (l *Last) IsOwn() bool { return l.refused != nil || l.noted }

// IsRefused reports whether tunic has answered it with an error.
func (l *Last) IsRefused() bool { return l.refused != nil }

// IsNoted reports whether there is something to say of what was carried out.
func (l *Last) IsNoted() bool { return l.noted }

// Refusal is the error; nil without one.
func (l *Last) Refusal() *sqlerr.Error { return l.refused }

// Begins is before a statement that is carried out.
func (l *Last) Begins() { l.refused, l.noted = nil, false }

// Anew is Begins where what there was before is past, too.
func (l *Last) Anew() { l.refused, l.noted, l.past = nil, false, pastOutcome{} }

// Forgets is where there is nothing to say but of a refusal.
func (l *Last) Forgets() { l.noted, l.past = false, pastOutcome{} }

// Notes says whether there is something to say of what was carried out.
func (l *Last) Notes(something bool) {
	if l.noted = something; something {
		l.past = pastOutcome{}
	}
}

// Refuses is when tunic answers with an error.
func (l *Last) Refuses(e *sqlerr.Error) {
	l.refused, l.past = e, pastOutcome{}
	l.Counts.Fail()
}

// Passes is when the server has a list that is not of the past statement any more.
func (l *Last) Passes() { l.past = pastOutcome{} }

// HasPast reports whether there was something to say of an earlier statement.
func (l *Last) HasPast() bool { return l.past.any() }

// Leave is before a statement that the server gets: what there is to say, with so many notices, is past. One notice of
// what was refused is the refusal.
func (l *Last) Leave(notices int) {
	l.past = pastOutcome{refused: l.refused, noted: l.noted && (l.refused == nil || notices > 1), count: notices}
	l.refused, l.noted = nil, false
}

// IsPastRefused reports whether tunic has answered the earlier statement with an error, which the server does not have.
func (l *Last) IsPastRefused() bool { return l.past.refused != nil }

// Doubts is when a statement may have dropped what the server's list would have of the past one.
func (l *Last) Doubts() { l.past.doubted = true }

// IsDoubted reports whether there was such a statement.
func (l *Last) IsDoubted() bool { return l.past.doubted }

// IsPastOver reports whether there are not as many notices as there were.
func (l *Last) IsPastOver(notices int) bool { return l.past.noted && l.past.count != notices }

// Recall makes the past outcome the one that is asked about.
func (l *Last) Recall() { l.refused, l.noted, l.past = l.past.refused, l.past.noted, pastOutcome{} }

// Kept is an outcome that a statement of tunic's own must not change.
type Kept struct {
	refused *sqlerr.Error
	noted   bool
	past    pastOutcome
	counts  Counts
}

// Keep is the outcome now.
func (l *Last) Keep() Kept { return Kept{l.refused, l.noted, l.past, l.Counts} }

// Back is behind such a statement.
func (l *Last) Back(k Kept) {
	l.refused, l.noted, l.past, l.Counts = k.refused, k.noted, k.past, k.counts
}

// Uncertain reports whether the server does not know all counts of rows, or of warnings.
func (l *Last) Uncertain() (rows, warnings bool) {
	return !l.Counts.Known() || l.refused != nil, l.refused != nil || l.noted
}

// Rows is ROW_COUNT() or FOUND_ROWS(), where the server has counted so many; ok is false if nobody knows it.
func (l *Last) Rows(asked sql.Count, servers string) (text []byte, ok bool) {
	of := l.Counts.changed
	switch {
	case asked == sql.FoundRows:
		of = l.Counts.found
	case l.refused != nil:
		of = Count{by: countedHere, n: -1}
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
