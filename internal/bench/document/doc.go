// Package document is the outcome of a benchmark, as it is kept in a file: the conditions, every single run and the
// summary. Whatever is shown of a benchmark, and whatever two are compared by, is made from it alone.
//
// A [Document] has a [Cell] for each target in each [Case], and a cell has its [Run]s. [Document.Add] files a run,
// [Document.Summarise] says what the runs come to: ratios are formed between neighbours, within one round, and only
// then is their median taken. A run that failed stays in it, and its cell has no numbers.
//
//	Document ─┬─ Settings, Machine, Versions, Storage    the conditions
//	          └─ Cell ─┬─ Case, target
//	                   ├─ Run, Run, …                    one a round
//	                   └─ Summary
//
// The package knows the names of targets, and which of them are compared with which. It knows no process, no server
// and no page: how a benchmark is planned and measured, and how it is told, is in package bench.
package document
