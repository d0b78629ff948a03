// Package clients proves that the drivers and programs people use work through
// tunic as they do without it.
//
// For every client there is a scenario below test/clients: a small program, in
// the client's own language, that does what applications do (log in every way,
// move values of every type, use transactions, prepared statements, files,
// cursors, KILL …) and reports each check in one line. The tests here start a
// private server, run the scenario against it directly and then through tunic,
// and require the same outcome of every check. A check that fails directly is a
// mistake of the scenario; one that ends otherwise through tunic is a defect of
// tunic. sysbench, which ends at the first error, runs through tunic only; over
// protected tables its statements have to leave the rows that they leave on plain
// ones.
//
// A client whose runtime is not on the machine is skipped, and says so, as is all
// of it without MariaDB; with TUNIC_REQUIRE_CLIENTS=1, which is how the project's
// own machines test, that fails instead. TUNIC_LONG=1 adds the soaks: a minute of
// every script of sysbench at 200 threads, and a million protected rows.
//
// The room holds nothing but tests.
package clients
