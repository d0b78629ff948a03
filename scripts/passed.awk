# Reads the output of `go test -v` of several packages, and writes for each package, into the
# folder `into`, an expression of the tests of it that have passed as a whole: with no part that
# was skipped.

/^=== RUN / { next }
/^--- PASS: / { name = $3; if (name !~ /\//) { tests[name] = 1; top = name } next }
/^--- (FAIL|SKIP): / { top = ""; next }
/^ +--- (FAIL|SKIP): / { if (top != "") delete tests[top]; next }
/^(ok  |FAIL)\t/ {
	list = ""
	if ($1 == "ok") for (name in tests) list = list (list == "" ? "" : "|") name
	file = $2
	sub(/^tunic\//, "", file)
	gsub("/", "-", file)
	print "^(" list ")$" > (into "/" file ".passed")
	close(into "/" file ".passed")
	delete tests
	top = ""
}
