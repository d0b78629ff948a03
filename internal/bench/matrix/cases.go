package matrix

import (
	"fmt"
	"slices"
	"strconv"

	"tunic/internal/bench/document"
	"tunic/internal/bench/figure"
)

// PSModes are sysbench's modes: auto prepares statements and executes them in the
// binary protocol, disable sends text.
var PSModes = []string{"auto", "disable"}

// QuestionMode is how questions are sent: as text.
const QuestionMode = "disable"

// Unlimited is a rate without a bound.
const Unlimited = -1

// RateName is how a rate is told.
func RateName(rate int) string {
	if rate == Unlimited {
		return "unlimited"
	}
	return figure.Grouped(float64(rate))
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

// RateFlag is a rate as ParseRates reads it.
func RateFlag(rate int) string {
	if rate == Unlimited {
		return RateName(rate)
	}
	return strconv.Itoa(rate)
}

// Rounds whose results are thrown away.
const (
	WarmUp   = 0
	Profiled = -1 // a profile is taken meanwhile, which costs something itself
)

// Cases lists the matrix in the order it is measured and shown in.
func Cases(s document.Settings) []document.Case {
	var cases []document.Case
	for _, size := range s.Sizes {
		for _, question := range s.Workloads {
			cases = append(cases, document.Case{Workload: question, PSMode: QuestionMode, Threads: s.Threads[0], Rows: size})
		}
	}
	for _, rate := range s.Rates {
		cases = append(cases, RateCase(s, rate))
	}
	if len(cases) > 0 {
		return cases
	}
	for _, workload := range s.Workloads {
		for _, mode := range s.PSModes {
			for _, threads := range s.Threads {
				if c := (document.Case{Workload: workload, PSMode: mode, Threads: threads}); caseExists(c) {
					cases = append(cases, c)
				}
			}
		}
	}
	return cases
}

// CasesIn are those in which statements are sent in the mode.
func CasesIn(s document.Settings, mode string) []document.Case {
	return slices.DeleteFunc(Cases(s), func(c document.Case) bool { return c.PSMode != mode })
}

// RateCase is the case of clients that write at a rate; without writes there are none.
func RateCase(s document.Settings, rate int) document.Case {
	c := document.Case{Workload: s.Workloads[0], PSMode: s.PSModes[0], Rate: RateName(rate)}
	if rate != 0 {
		c.Threads = s.Threads[0]
	}
	return c
}

// caseExists tells whether the workload can be had with so many threads, in the mode.
func caseExists(c document.Case) bool {
	w, err := WorkloadsNamed([]string{c.Workload})
	return err != nil || w[0].Has(c.Threads) && w[0].sends(c.PSMode)
}

// JVMSeconds is what a JVM takes, once it is busy, to have compiled what it is busy with.
const JVMSeconds = 10

// warmUpLeast is how long targets are warmed up for at least before a case, where any is.
var warmUpLeast = map[string]int{document.TargetShardingSphere: JVMSeconds, document.TargetShardingSphereEncrypt: JVMSeconds}

// LengthOf is how long a target is loaded in a round, in seconds; 0 for not at all.
func LengthOf(s document.Settings, round int, target string) int {
	switch {
	case round != WarmUp:
		return s.Seconds
	case s.WarmUpSeconds == 0:
		return 0
	}
	return max(s.WarmUpSeconds, warmUpLeast[target])
}

// YCSB's records have a key and ten fields of 100 bytes each, as its core workload has them by default.
const (
	YCSBFields      = 10
	YCSBFieldLength = 100
)
