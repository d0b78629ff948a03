// Package policy decides which columns are protected, and which layers they may
// have.
//
// Three sources say how a column is protected, and [Policy.Column] makes one
// [Decision] of them:
//
//   - a rule of the configuration, found by the column's name: the operator's;
//   - an annotation in the comment of the column's definition: the
//     application's, carried by any migration tool;
//   - the default.
//
// A rule is a bound: an annotation may ask for less than it allows, never for
// more. Without a rule the annotation decides, and without either the default.
//
// What a voice says is a [Protection], in the words of sql text and TOML alike:
//
//	plain                 stored as it is
//	sealed                protected, and never a layer
//	equality              protected, with a layer that compares
//	order                 protected, with layers that compare and sort
//	order/GRAIN           protected, with a layer that sorts by steps
//	equality, order/GRAIN both
//
// Each lists the capabilities that there are. An annotation may also name a family, behind these words or alone: see [Note].
//
// A capability that is named is wanted: its layer exists from the start. One that
// is only allowed, by the default ceiling, comes when a key or use asks for it.
//
// The package knows no SQL and no types. Whether a grain fits a column's type is
// decided where the type is known.
package policy
