// Package matrix says what can be measured: the benchmarks, the workloads, and the cases that settings come to.
//
// A [Kind] is a benchmark: what it is for, and the settings that it has unless it is told others. A [Workload] is a
// kind of load, an entry of a table. [Cases] lists what targets are compared under, in the order in which it is
// measured and shown: workloads by ways of sending statements by numbers of threads; questions by sizes of tables; or
// rates of writes.
//
// All of this is data. The package starts nothing and sends nothing: how a load is sent, and through which target, is
// in package bench; what has come of it is in package document.
package matrix
