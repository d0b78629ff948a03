// Package admin is the side door: a small HTTP server for those who operate
// tunic, never for its clients.
//
//	/             what is here; for a browser, the way to the status
//	/status       what an operator wants to know, as a page (docs/status.md)
//	/status.json  the same for programs
//	/metrics      Prometheus' metrics (docs/metrics.md)
//	/healthz      200 while the process serves HTTP at all: restart it otherwise
//	/readyz       200 while new clients should be sent here, else 503 and why
//	/debug/pprof  profiles, only when the operator asks for them
//
// The pages show no value, no literal and no user. The status needs a token where others
// than this machine reach the address; the rest has no login. They cannot
// run a query: whether the database answers is asked through a callback, and
// at most once a second, so that probes cannot load it.
package admin
