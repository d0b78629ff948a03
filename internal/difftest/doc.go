// Package difftest is the oracle: it runs the same SQL directly on a plain
// server and through tunic in front of an equal server, and compares everything
// a client can see. What differs is a defect, or one of the differences that
// testdata/pins.txt lists with its reason.
//
// The way of a statement through this room:
//
//	corpus    testdata/corpus/*.test: statements and directives, no code
//	Script    a corpus file as steps (script.go, parse.go, directive.go)
//	Config    what both clients agree on with their servers, and whether they
//	          use the text protocol, prepared statements or cursors (config.go)
//	client    a client that hides nothing: it keeps every packet (client.go …)
//	Reply     what a server answered, as named fields, rows and raw packets
//	Compare   the differences of two replies, field by field (compare.go)
//	Rule      what legitimately differs and is masked first (rule.go)
//	Pins      the differences that are known, one by one (pin.go)
//
// Where tunic protects tables, more comes in:
//
//	corpus    testdata/protected/*.test, and random ones (random.go, generate)
//	Policy    what is protected, and how much of it the server may compare (policy.go)
//	Protected the order of things: through tunic first, and directly only what tunic
//	          has not refused (protected.go, refusal.go)
//	fuzz      sessions of the corpora, changed at random (mutate.go, mutations.go, fuzzed.go)
//	Allowance how much may be refused (allowance.go, testdata/refusals.txt)
//	canaries  values that are looked for in all that the server writes (canary.go)
//
// The two servers start from the same template and get the same steps, each on
// its own side, so a step sees what the steps before it have left. The sides
// never see each other.
//
// The oracle must not agree with itself by accident. So the corpus says which
// statements fail and with which error, and an unexpected error on the plain
// server fails the run; a pin that no longer matches fails the run; a relay that
// flips a byte, drops a warning or changes a flag must be caught; and the plain
// server compared with itself must show no difference.
package difftest
