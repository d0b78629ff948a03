// Package sandbox runs private database servers, and the other processes that
// stand beside them, for the tests, the demo and the benchmarks.
//
// A sandbox never touches the machine's own services. A server listens on
// 127.0.0.1 only, keeps its data in a folder of its own (below .tunic/ at the
// root of the repository, or below the folder that TUNIC_RUN names, unless the
// caller names one), reads no option file and belongs to the process that started it: when that process dies, however it
// dies, the kernel ends the server too (Linux), and the folder is swept by the
// next sandbox that starts.
//
// Making a fresh data directory takes seconds, copying one does not. So the first
// start of a server version makes a template with the accounts below, and every
// server starts from a copy of it:
//
//	root           password "root"     all privileges; localhost, 127.0.0.1 and %
//	tunic_service  password "service"  all privileges; what tunic's own work uses
//	app            password "app"      an application's privileges on every schema,
//	                                   nothing administrative, no grant option
//
// The passwords are no secrets: nothing but loopback reaches these servers. An
// empty database named test exists.
//
// Two flavors are known. MariaDB is the machine's own mariadbd. MySQL is a private
// tree that scripts/install-mysql.sh unpacks below .tunic/mysql; where it is
// missing, StartMySQL says so with an error that wraps ErrUnavailable.
//
// The room knows nothing of tunic but its command line (StartTunic), so that
// every other room may use it in its tests.
package sandbox
