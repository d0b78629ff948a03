// Package bench measures what stands between a MySQL client and its server.
//
// A benchmark is a matrix. Its cases are a workload, a way of sending statements
// and a number of threads; its targets are the ways from the client to the server:
// straight to it, through HAProxy (what any hop costs), through tunic with plain
// tables, through tunic with protected ones. Workloads (package matrix) and targets
// (target.go) are two tables of data: a new one is a new entry.
//
// The machines such things run on are shared and noisy, so no number is taken from
// a run of its own:
//
//   - For each case the targets take turns, round after round. Each round starts with
//     another target, and each target comes behind another one than before (plan.go), so
//     that a slow minute of the machine, the place in the turn or the neighbour in it
//     favours nobody.
//   - Ratios are formed between neighbours, within one round, and only then is
//     their median taken (package document). Every median is shown with its spread.
//   - Beside throughput stands the processor time the hop spends on a query
//     (package meter), which depends far less on what else the machine does. It is
//     counted between the moment the last thread is connected and the report, the
//     same interval whose queries sysbench counts.
//   - The server is private (package sandbox) and set so that the hop is what
//     limits: everything in memory, no sync of the log at commit.
//
// A target may begin after the tables were made, and have no part in a workload that it
// cannot do (shardingsphere.go): it is left out there, with the reason.
//
// A benchmark is a Kind (package matrix): what it is for, and the settings of its matrix.
//
// Other benchmarks have loops of their own and the same outcome: questions that are
// asked one after the other (queries.go), transactions while layers come and go
// (layers.go), clients of a table that is protected meanwhile (encrypt.go), and single
// values, which another room measures (values.go). What is done beside clients is a
// target there, and what they met is a field of a run (document.Beside).
//
// The outcome is one Document (package document): the conditions, every single run and the summary. The table,
// the plots, the report and the comparison of two documents (package page) are made from it alone. A run that
// failed stays in it and is shown as failed; so does one that tunic has refused. What protected rows take of the
// server's room (storage.go) is in it too.
//
// This package measures. What it stands on measures nothing, each package for itself:
//
//	bench ──► page ──► matrix ──► document ──► meter, figure
//	            └────► draw
//
// The room speaks MySQL through sysbench, go-ycsb and an ordinary client library, and
// starts processes through sandbox. It knows nothing of tunic's other rooms, so
// that it measures any server and any proxy alike.
package bench
