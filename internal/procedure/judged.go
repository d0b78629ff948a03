package procedure

import (
	"context"
	"errors"

	"tunic/internal/advice"
	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
)

// judged refuses a layer that the values of a column speak against, unless there is a reason
// for it. What cannot be added is for others to refuse. That values fill their range speaks
// against sorting by all of them, and is what a grain is for.
func (c *Call) judged(ctx context.Context, t *catalog.Table, column int, layer policy.Capabilities, grain policy.Grain, reason string) error {
	advisor, of := c.Advisor, &t.Columns[column]
	if c.Procedure != "add_layer" || reason != "" || advisor == nil || of.Layer(layer) != nil || !of.Protection.Allowed.Has(layer) {
		return nil
	}
	verdict, err := advisor.Check(ctx, t, column, layer)
	switch {
	case errors.Is(err, advice.ErrUnsuited):
		return nil
	case err != nil:
		c.Log.Warn("a column's values cannot be looked at before a layer is added", "column", t.Schema+"."+t.Name+"."+of.Name, "error", err)
		return sqlerr.LayerValues(of.Name, layerWord(layer), sqlerr.ValuesUnknown)
	case verdict.Why == advice.Dense && (grain != policy.Grain{} || of.Protection.Grain != policy.Grain{}):
		return nil
	case verdict.Refused:
		return sqlerr.LayerValues(of.Name, layerWord(layer), spoken[verdict.Why])
	}
	return nil
}

// spoken are the verdicts as the error says them.
var spoken = map[advice.Why]sqlerr.Values{
	advice.Few: sqlerr.ValuesFew, advice.Dominated: sqlerr.ValuesDominated, advice.Dense: sqlerr.ValuesDense,
}
