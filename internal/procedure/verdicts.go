package procedure

import (
	"context"
	"errors"
	"log/slog"

	"tunic/internal/advice"
	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
)

// Who defines a key says nothing of what it tells the server, and may not know. A definition
// that has brought layers says so by notes, when it is made.

// Verdicts are what is known about layers that a definition has brought.
type Verdicts struct {
	Advisor *advice.Advisor         // nil where nobody counts
	Catalog func() *catalog.Catalog // that there is now
	Log     *slog.Logger
	Locked  bool // the session may hold tables
}

// Note is what the client is told of a layer.
func (v *Verdicts) Note(ctx context.Context, b *ddl.NewLayer) *sqlerr.Error {
	word, tells := layerWord(b.Layer), sqlerr.TellsEqual
	if b.Layer == policy.Order {
		tells = sqlerr.TellsOrder
	}
	if b.Grain != (policy.Grain{}) {
		word, tells = word+"/"+b.Grain.String(), sqlerr.TellsSteps
	}
	return sqlerr.LayerBrought(b.Schema+"."+b.Table+"."+b.Column, word, tells, v.on(ctx, b))
}

// on is what is known about a new layer: of the values of its column, or else of its type.
func (v *Verdicts) on(ctx context.Context, b *ddl.NewLayer) sqlerr.Verdict {
	if b.Alone && b.Layer == policy.Equality {
		return sqlerr.VerdictOnce
	}
	byType := typeVerdicts[judgedOfType(b)]
	if !b.Rows || v.Advisor == nil {
		return byType
	}
	t := v.Catalog().Table(b.Schema, b.Table)
	if t == nil || t.Column(b.Column) < 0 { // somebody has changed it since
		return byType
	}
	if v.Locked { // it is the service account that reads, and would wait for this session
		return sqlerr.VerdictUnknown
	}
	verdict, err := v.Advisor.Check(ctx, t, t.Column(b.Column), b.Layer)
	switch {
	case errors.Is(err, advice.ErrUnsuited):
		return byType
	case err != nil:
		v.Log.Warn("a column's values cannot be looked at for a new layer", "column", b.Schema+"."+b.Table+"."+b.Column, "error", err)
		return sqlerr.VerdictUnknown
	case verdict.Why == advice.Unjudged:
		return byType
	case verdict.Why == advice.Dense && b.Grain != policy.Grain{}: // it is what a grain is for
		return sqlerr.VerdictFine
	}
	return valueVerdicts[verdict.Why]
}

// judgedOfType is what the type says.
func judgedOfType(b *ddl.NewLayer) advice.Why {
	why := advice.OfType(&b.Type, b.Layer)
	if why == advice.Dense && b.Grain != (policy.Grain{}) {
		return advice.Unjudged
	}
	return why
}

// valueVerdicts and typeVerdicts are the verdicts as notes say them.
var (
	valueVerdicts = map[advice.Why]sqlerr.Verdict{
		advice.Fine: sqlerr.VerdictFine, advice.Few: sqlerr.VerdictFew, advice.Dominated: sqlerr.VerdictDominated, advice.Dense: sqlerr.VerdictDense,
	}
	typeVerdicts = map[advice.Why]sqlerr.Verdict{
		advice.Unjudged: sqlerr.VerdictNone, advice.Few: sqlerr.VerdictTypeFew, advice.Dense: sqlerr.VerdictTypeDense,
	}
)
