package bench

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tunic/internal/bench/document"
)

// report is what sysbench 1.0 says of a run.
type report struct {
	Transactions, Queries       int64
	TPS, QPS                    float64
	IgnoredErrors               int64 // deadlocks and lock timeouts, which the script answers by starting the transaction again
	Reconnects                  int64
	AverageMs, P95Ms, MaximumMs float64
	TotalSeconds                float64
	Timeline                    []document.Second    // if the load was to report every second
	OrderEntry                  *document.OrderEntry // of package tpcc's terminals
}

// Lines of sysbench's output that mark the measured interval: the first is
// written once every thread is connected and prepared, the second when all have
// stopped.
const (
	lineStarted = "Threads started!"
	lineStopped = "SQL statistics:"
)

// reportLine is "label:  value  (rate per sec.)", indented.
var reportLine = regexp.MustCompile(`^\s*([a-zA-Z0-9 ]+):\s+([0-9.]+)s?(?:\s+\(([0-9.]+) per sec\.\))?\s*$`)

// parseReport reads sysbench's standard output. A number that is missing is an
// error: a report that was cut short must not pass for a slow run.
func parseReport(output string) (report, error) {
	_, body, found := strings.Cut(output, lineStopped)
	if !found {
		return report{}, errors.New("sysbench printed no statistics")
	}
	p := reportParser{values: map[string]string{}, rates: map[string]string{}}
	for line := range strings.Lines(body) {
		if m := reportLine.FindStringSubmatch(line); m != nil {
			p.values[m[1]], p.rates[m[1]] = m[2], m[3]
		}
	}
	r := report{
		Transactions:  int64(p.number(p.values, "transactions")),
		TPS:           p.number(p.rates, "transactions"),
		Queries:       int64(p.number(p.values, "queries")),
		QPS:           p.number(p.rates, "queries"),
		IgnoredErrors: int64(p.number(p.values, "ignored errors")),
		Reconnects:    int64(p.number(p.values, "reconnects")),
		TotalSeconds:  p.number(p.values, "total time"),
		AverageMs:     p.number(p.values, "avg"),
		MaximumMs:     p.number(p.values, "max"),
		P95Ms:         p.number(p.values, "95th percentile"),
	}
	if p.err == nil && r.Queries == 0 {
		p.err = errors.New("sysbench finished no query")
	}
	return r, p.err
}

// reportParser collects the numbers and the first error.
type reportParser struct {
	values, rates map[string]string
	err           error
}

func (p *reportParser) number(from map[string]string, label string) float64 {
	n, err := strconv.ParseFloat(from[label], 64)
	if err != nil && p.err == nil {
		p.err = fmt.Errorf("sysbench's report has no number for %q", label)
	}
	return n
}

// failure returns what sysbench gave as the reason for giving up: the first line
// that names an error of the server or of the client library, else the first fatal
// line. The statement is cut off it.
func failure(output string) string {
	first := ""
	for line := range strings.Lines(output) {
		text, fatal := strings.CutPrefix(strings.TrimSpace(line), "FATAL: ")
		if !fatal {
			continue
		}
		text, _, _ = strings.Cut(text, " for query '")
		if strings.Contains(text, "error ") || strings.HasPrefix(text, "MySQL error: ") {
			return text
		}
		if first == "" {
			first = text
		}
	}
	return first
}
