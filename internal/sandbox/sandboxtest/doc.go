// Package sandboxtest gives the tests of a package the database servers of package
// sandbox.
//
// A server is started when the first test asks for it, shared by all that ask for
// the same one afterwards, and stopped when they are through:
//
//	func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m)) }
//
//	func TestRound(t *testing.T) {
//		sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) { … })
//	}
//
// Servers are the same if their flavor and their options are. As they are shared,
// a test makes the schemas it needs anew and takes nothing for granted that another
// may have left. One that kills its server, or sets what is global, takes its Own.
//
// Where a server is not installed, the test is skipped with the sandbox's error,
// which says how to get it. With TUNIC_REQUIRE_CLIENTS=1, as in CI, a missing
// MariaDB is no reason to skip, and the test fails: package sandbox decides that.
package sandboxtest
