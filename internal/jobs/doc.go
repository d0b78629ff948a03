// Package jobs does the work on protected tables that takes long, while clients run.
//
// A job is a row of the ledger (catalog.Job), written before its first step, and what is
// done is a kind ([Kind]): a list of stages by name. Each tunic has a [Runner], which looks
// now and then for jobs that nobody works at, claims one by a lock at the server, and goes
// through its stages:
//
//	asked ──► running ──────────────────────────► done
//	           │  ▲  └─ a stage fails ─► failed      every stage has ended
//	     pause │  │ resume                 │
//	           ▼  │ ◄──────────────────────┘ resume
//	          paused, failed
//	           │
//	           │ cancel (of a running one, too)
//	           ▼
//	       cancelling ─────────────────────────► cancelled
//	                   the stages of undoing
//
// Who asks for something else than what goes on writes it into the ledger, and who works
// sees it there: so any tunic pauses, resumes and cancels what any other works at, and
// what nobody works at.
//
// # Killed at any point
//
// The lock goes with the connection that has it, and then the job is anybody's. A stage
// that was begun is begun again, by who looks at what is there: so every stage has to be
// one that can be done twice. Within a stage the place is kept in a row that is written in
// the transaction of the work it tells of ([Work.Statement]).
//
// A process that was stopped and goes on may work at a job that is another's by now, until
// it notices. Two at one stage have to do no harm for that reason, too: what they do to
// rows is done under the rows' locks, and what they do to definitions under the ledger's.
//
// # How a job ends
//
// A failure that passes by itself, such as a server that is restarted, is waited for. Any
// other gives the job a cause ([Cause]) by which it stands still, with all that it has
// done, until somebody resumes it or cancels it. A table that is dropped, or a column that
// becomes another, is a cause as well; then there is nothing left to undo.
package jobs
