# Reads the output of `go test -v` and prints what a reader wants of it: a line for each package
# with its counts, the reason of each skip, and what the failed tests of a package said, with their
# subtests; all that the package said if it did not end by itself or no test of it failed. The counts
# of the whole go to the file named by `counts`.
#
# With several packages, go prints the output of one package in one piece and ends
# it with a line for the package.

BEGIN { reset() }

function reset() {
	passed = failed = skipped = n = m = whole = 0
	test = ""
	delete failures
}

function note_skip(name) {
	sub(/^ */, "", last)
	skips[m++] = "      skipped " name ": " last
	skipped++
}

# package_line ends a package whose tests did well.
function package_line(line) {
	print line "   " passed " passed" (skipped ? ", " skipped " skipped" : "")
	for (i = 0; i < m; i++) print skips[i]
	finish()
}

function finish() {
	all_passed += passed
	all_failed += failed
	all_skipped += skipped
	reset()
	fflush()
}

function failed_package(line) {
	for (i = 0; i < n; i++) if (whole || !failed || tests[i] == "" || tests[i] in failures) print lines[i]
	print line
	if (!failed) failed = 1 # it did not build, or it panicked
	finish()
}

/^=== (RUN|PAUSE|CONT|NAME)/ { last = "no reason given"; test = $3; next }
/^ *--- PASS: / { passed++; next }
/^ *--- FAIL: / { failed++; test = $3; failures[test] = 1 }
/^(panic: |fatal error: |WARNING: DATA RACE|SIG[A-Z]+: )/ { whole = 1 }
# Before -v's "--- SKIP" comes the line that says why.
/^ *--- SKIP: / { note_skip($3); next }
/^ok  \t/ { package_line($0); next }
/^\?   \t/ { next } # no test files
/^\t.*\tcoverage: / { next }
/^FAIL\t/ { failed_package($0); next }
/^(PASS|FAIL)$/ { next }
{
	tests[n] = test
	lines[n++] = $0
	last = $0
}

END {
	if (n) { # go itself complained
		for (i = 0; i < n; i++) print lines[i]
	}
	print all_passed + 0, all_failed + 0, all_skipped + 0 > counts
}
