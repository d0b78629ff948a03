package bench

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
)

func rateName(rate int) string {
	if rate == Unlimited {
		return "unlimited"
	}
	return grouped(float64(rate))
}

// ParseRates reads numbers of writes a second, of which one may be "unlimited".
func ParseRates(texts []string) (rates []int, err error) {
	for _, text := range texts {
		n, err := strconv.Atoi(text)
		switch {
		case text == "unlimited":
			n = Unlimited
		case err != nil || n < 0:
			return nil, fmt.Errorf("rate %q is neither a number of writes a second nor unlimited", text)
		}
		rates = append(rates, n)
	}
	return rates, nil
}

// line says in one line what a run has shown.
func (r *EncryptRun) line() string {
	s := fmt.Sprintf("%.1f s, %.0f statements/s, p95 %.1f ms, longest stall %.0f ms (of one client %.0f ms), load %.1f", r.Seconds, r.QPS, r.P95, r.Stall, r.Longest, r.Load)
	if len(r.Errors) > 0 {
		s += fmt.Sprintf(", ERRORS %v", r.Errors)
	}
	if r.Wrong > 0 {
		s += fmt.Sprintf(", WRONG ANSWERS %d", r.Wrong)
	}
	return s
}

// table renders the document for a terminal.
func (d *EncryptDocument) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "encrypt, a table of %s rows, %d clients through tunic, %s\n", grouped(float64(d.Rows)), d.Threads, d.Started.Format("2006-01-02 15:04 MST"))
	fmt.Fprintf(&b, "  machine   %s\n  software  %s, tunic %s\n", d.Machine, d.Versions["server"], d.Versions["tunic"])
	for _, s := range d.Skipped {
		fmt.Fprintf(&b, "  skipped   %s\n", s)
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "\nwrites/s\tway\ttime s\tstatements/s\tp95 ms\tlongest stall ms\tof one client ms\tmachine's load\n")
	for i := range d.Rates {
		for j := range d.Rates[i].Runs {
			r := &d.Rates[i].Runs[j]
			fmt.Fprintf(w, "%s\t%s\t%.1f\t%.0f\t%.1f\t%.0f\t%.0f\t%.1f\n", rateName(d.Rates[i].Rate), r.Way, r.Seconds, r.QPS, r.P95, r.Stall, r.Longest, r.Load)
		}
	}
	_ = w.Flush() // into memory
	for i := range d.Rates {
		r := &d.Rates[i]
		fmt.Fprintf(&b, "\n%s writes/s: made plain again, it is what was written, by CHECKSUM and SHOW CREATE TABLE: %t\n", rateName(r.Rate), r.Same)
		for _, s := range r.Searches {
			fmt.Fprintf(&b, "  values in the clear in %d files, %s: logs %v, others %v\n", s.Files, s.When, s.Logs, s.Other)
		}
	}
	return b.String()
}
