package catalog

import "tunic/internal/policy"

// A shadow is a layer that is to take the place of another one of its column, with tokens of
// a newer key. Every statement writes both. No plan reads it: whoever asks for a layer asks for
// a capability, and a shadow has one of its own. When its rows are backfilled, looked at, and the
// keys over it are made, the two swap their names in one definition, and the fence moves.

// shadow marks the capability of a shadow.
const shadow policy.Capabilities = 1 << 6

// Shadow is the capability of the layer that succeeds that of another one.
func Shadow(of policy.Capabilities) policy.Capabilities { return of | shadow }

// Base is a capability, whether it is a shadow's or not.
func Base(of policy.Capabilities) policy.Capabilities { return of &^ shadow }
