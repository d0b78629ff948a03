package catalog

import "tunic/internal/policy"

// A successor is a layer that is to take the place of another one of its column, with tokens of
// a newer key. Every statement writes both. No plan reads it: whoever asks for a layer asks for
// a capability, and a successor has one of its own. When its rows are filled, looked at, and the
// keys over it are made, the two exchange their names in one definition, and the fence moves.

// succeeding marks the capability of a successor.
const succeeding policy.Capabilities = 1 << 6

// Successor is the capability of the layer that succeeds that of another one.
func Successor(of policy.Capabilities) policy.Capabilities { return of | succeeding }

// Base is a capability, whether it is a successor's or not.
func Base(of policy.Capabilities) policy.Capabilities { return of &^ succeeding }

// Succeeds reports whether the layer is a successor.
func (l *Layer) Succeeds() bool { return l.Capability&succeeding != 0 }

// Successor is the successor of the column's layer of a capability, or nil.
func (c *Column) Successor(of policy.Capabilities) *Layer { return c.Layer(Successor(of)) }
