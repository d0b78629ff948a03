package advice

import (
	"cmp"
	"slices"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/plan/explanation"
	"tunic/internal/policy"
)

// Advice is what is known of one layer that a column has, or that statements miss: a
// row of tunic.layers.
type Advice struct {
	Schema, Table, Column string
	Layer                 policy.Capabilities
	// State is that of the catalog: absent, filling, ready, retiring.
	State   string
	Ceiling string
	// Counts are of the statements that came to this tunic in the last hours.
	Counts
	// Advice is what to do: one of the constants.
	Advice string
	Reason string
}

// What is advised.
const (
	Nothing = ""     // leave it as it is
	Add     = "add"  // CALL tunic.add_layer
	Drop    = "drop" // CALL tunic.drop_layer
)

// Reasons of advice. They are all that is said: none has a value in it, or a number that
// says more of values than that a threshold is passed.
const (
	reasonAbove       = "above the column's ceiling"
	reasonBackfilling = "the layer is being filled"
	reasonWanted      = "missed, and it has not cost much yet"
	reasonPays        = "statements would save more than filling it takes"
	reasonUnseen      = "statements would save more than filling it takes; the values are not looked at yet"
	reasonUnused      = "no statement of this tunic has used it for a month, and no key is over it"
)

// What it takes for a layer to pay.
const (
	// paysStatements is how many statements have to have missed it: a report that runs
	// once is no reason.
	paysStatements = 10
	// fillPrice is how many rows are read and opened in the time that it takes to fill one:
	// about 12 µs for a row that is written, and two reads of it.
	fillPrice = 10
	// DefaultAfter is how much time a layer has to have cost by not being there.
	DefaultAfter = time.Minute
	// unusedFor is how long a layer must not have been used to be advised against.
	unusedFor = 30 * 24 * time.Hour
)

// pays reports whether a layer would have saved more than it costs, as far as that is known
// without the number of rows.
func (c *Counts) pays(after time.Duration) bool {
	return c.Statements >= paysStatements && c.Spent >= after
}

// paysFor is pays for a table of so many rows.
func (c *Counts) paysFor(after time.Duration, rows int64) bool {
	return c.pays(after) && c.Rows >= fillPrice*rows
}

// Advice is what is known of every layer that is there, and of every one that is missed,
// in the order of names. It reads memory only.
func (a *Advisor) Advice() []Advice {
	var all []Advice
	for t := range a.o.Catalog().Tables() {
		for i := range t.Columns {
			for _, capability := range policy.Each() {
				if one, ok := a.Of(t, i, capability); ok {
					all = append(all, one)
				}
			}
		}
	}
	slices.SortFunc(all, func(x, y Advice) int {
		return cmp.Or(cmp.Compare(x.Schema, y.Schema), cmp.Compare(x.Table, y.Table), cmp.Compare(x.Column, y.Column), cmp.Compare(x.Layer, y.Layer))
	})
	return all
}

// Of is the advice for one layer; ok is false if it is not there and nobody misses it. A
// nil Advisor has no advice.
func (a *Advisor) Of(t *catalog.Table, column int, capability policy.Capabilities) (one Advice, ok bool) {
	c := &t.Columns[column]
	layer := c.Layer(capability)
	one = Advice{Schema: t.Schema, Table: t.Name, Column: c.Name, Layer: capability, State: stateOf(layer), Ceiling: c.Protection.String()}
	if a == nil {
		return one, layer != nil
	}
	counts, counter := a.o.Book.counted(layerOf{c.ID, capability})
	if !c.Protected() || layer == nil && (counter == nil || counts.Statements == 0 || c.Backfilling) {
		return one, false
	}
	one.Counts = counts
	switch {
	case layer == nil:
		one.Advice, one.Reason = a.adding(t, column, capability, &counts)
	case layer.State == catalog.Backfilling:
		one.Reason = reasonBackfilling
	case layer.State == catalog.Ready:
		one.Advice, one.Reason = a.dropping(t, column, layer)
	}
	return one, true
}

// adding is what to do about a layer that is missed.
func (a *Advisor) adding(t *catalog.Table, column int, capability policy.Capabilities, counts *Counts) (advice, reason string) {
	c := &t.Columns[column]
	if !allowed(c, capability) {
		return Nothing, reasonAbove
	}
	verdict, seen := a.o.Checker.known(layerOf{c.ID, capability})
	switch {
	case seen && verdict.Refused:
		return Nothing, verdict.Why.String()
	case !counts.pays(a.o.After):
		return Nothing, reasonWanted
	case !seen:
		return Add, reasonUnseen
	case verdict.Why == Unjudged || !counts.paysFor(a.o.After, verdict.Rows):
		return Nothing, reasonWanted
	}
	return Add, reasonPays
}

// dropping is what to do about a layer that is there.
func (a *Advisor) dropping(t *catalog.Table, column int, l *catalog.Layer) (advice, reason string) {
	c := &t.Columns[column]
	if a.o.Book.now().Sub(a.o.Book.lastUse(layerOf{c.ID, l.Capability})) < unusedFor || stands(t, c, l.Capability) {
		return Nothing, ""
	}
	return Drop, reasonUnused
}

// stands reports whether a key or foreign key is over a layer, or may refer to it.
func stands(t *catalog.Table, c *catalog.Column, capability policy.Capabilities) bool {
	for i := range t.Keys {
		for _, p := range t.Keys[i].Parts {
			if p.Column == c.Name && p.Layer == capability {
				return true
			}
		}
	}
	for i := range t.ForeignKeys {
		if slices.Contains(t.ForeignKeys[i].Columns, c.Name) {
			return true
		}
	}
	return c.Domain != c.ID // it compares with another column
}

// allowed reports whether a layer is within a column's ceiling, and one of its type.
func allowed(c *catalog.Column, capability policy.Capabilities) bool {
	_, suited := explanation.PriceOf(&c.Type, capability)
	return suited && c.Protection.Allowed.Has(capability) && c.Protection.Grain == policy.Grain{}
}

// stateOf is the state of a layer in words; nil is one that is absent.
func stateOf(l *catalog.Layer) string {
	switch {
	case l == nil:
		return "absent"
	case l.State == catalog.Backfilling:
		return "filling"
	case l.State == catalog.Ready:
		return "ready"
	}
	return "retiring"
}
