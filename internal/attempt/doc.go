// Package attempt takes one statement of a client from its plan to the server, by the definitions that its
// tables have, and says when it is to be planned again because they have others by now.
//
// A table changes while clients use it, by this tunic or by another one. Whoever plans a statement finds out in
// one of two ways that it was for another definition:
//
//		Begin ──► plan ──► Enter the gates ──► still defined so? ──► server ──► Leave
//		            ▲                              │ no: Outdated        │ names a fence that is gone: Stale
//		            └──────────── Again ◄──────────┴────── CatchUp ◄─────┘
//
//	  - at the gates, where a change of this tunic's has held the statement up;
//	  - by the server, which refuses what names the fence of an older definition.
//
// Either goes up to [Attempt.Retry], the one loop in which a statement is carried out. Where something is planned
// again before it comes to that, as views are that others have changed, [Attempt.Again] counts it as well. There is
// one limit, and one error behind it.
//
// Before a statement is planned it waits for the lease, without which names of protected tables may be missing
// ([Attempt.Begin]); before one comes to a plain table it is looked at once more ([Attempt.Leased]).
//
// The package knows gates, tables and versions of the catalog. It reads no text, makes no plan and sends nothing.
package attempt
