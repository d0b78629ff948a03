// Package migrate protects a table that is there, with rows and clients, beside the tunics
// that serve it: the work of `tunic encrypt`.
//
//	look at the table: what keeps it from being protected     check_*.go
//	adopt      the catalog knows it, and each column has a shadow       ddl.Adopt
//	fence      statements that were planned before are refused          ddl.Fence
//	fill       rows from before are backfilled, and all are looked at   ddl.BackfillShadows
//	exchange   the shadows take the place of the plain columns          ddl.SwapShadows
//	purge      the plain columns go, and the pages that had them        ddl.Purge
//
// There is no record of how far it is: which step is next is seen by the catalog and by the
// table. Work that was cut off anywhere, and is begun again, goes on. Each step takes the
// locks by which tunics keep apart, so that two runs at a time do no more than one would.
//
// All that can hinder the work is one list (hindrance.go), of which docs/assess.md and docs/encrypting.md tell.
package migrate
