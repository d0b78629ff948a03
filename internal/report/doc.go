// Package report says what a database holds of its tables and what the server learns from it, for an
// auditor: `tunic report`.
//
//	ledger     ── protected tables: forms, keys, epochs, jobs      (packages ledger, catalog)
//	server     ── all other tables, its logs, its TLS              (information_schema, SHOW)
//	stored     ── what is not as the catalog says                  (package audit, definitions alone)
//	policy     ── who asks for a form that is there, and why
//	values     ── what a sample of them says of a layer            (package advice), if that is asked for
//	     │
//	     ▼
//	  Gather ──► Report ──► WriteText, WriteJSON, WriteHTML
//
// A [Report] is gathered once and rendered three ways; the renderings decide nothing. What needs a decision
// is found by decide.go, from the Report alone, and is a [Decision] of a named kind.
//
// It changes nothing. No value of a table is in a Report, no literal of a definition, and no comment; names,
// types and the reasons that people gave for layers are.
package report
