package bench

import (
	"regexp"
	"strconv"

	"tunic/internal/bench/document"
)

// intervalLine is what sysbench says while it runs, once a second if it is asked to.
var intervalLine = regexp.MustCompile(`^\[ \d+s \] thds: \d+ tps: ([0-9.]+) .*lat \(ms,\d+%\): ([0-9.]+) `)

// parseInterval reads such a line; false for any other.
func parseInterval(line string) (document.Second, bool) {
	m := intervalLine.FindStringSubmatch(line)
	if m == nil {
		return document.Second{}, false
	}
	tps, err1 := strconv.ParseFloat(m[1], 64)
	p95, err2 := strconv.ParseFloat(m[2], 64)
	return document.Second{TPS: tps, P95Ms: p95}, err1 == nil && err2 == nil
}
