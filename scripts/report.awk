# Reads the output of `go test -v` and prints what a reader wants of it: a line for
# each package with its counts, the reason of each skip, and everything a failed
# package said. The counts of the whole go to the file named by `counts`.
#
# With several packages, go prints the output of one package in one piece and ends
# it with a line for the package.

BEGIN { reset() }

function reset() {
	passed = failed = skipped = n = m = 0
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
	for (i = 0; i < n; i++) print lines[i]
	print line
	if (!failed) failed = 1 # it did not build, or it panicked
	finish()
}

/^=== (RUN|PAUSE|CONT|NAME)/ { last = "no reason given"; next }
/^ *--- PASS: / { passed++; next }
/^ *--- FAIL: / { failed++ }
# Before -v's "--- SKIP" comes the line that says why.
/^ *--- SKIP: / { note_skip($3); next }
/^ok  \t/ { package_line($0); next }
/^\?   \t/ { next } # no test files
/^\t.*\tcoverage: / { next }
/^FAIL\t/ { failed_package($0); next }
/^(PASS|FAIL)$/ { next }
{
	lines[n++] = $0
	last = $0
}

END {
	if (n) { # go itself complained
		for (i = 0; i < n; i++) print lines[i]
	}
	print all_passed + 0, all_failed + 0, all_skipped + 0 > counts
}
