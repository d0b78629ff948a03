package sqlerr

import "strconv"

// ReportDecisions is what a report ends with if something needs a decision: so many things.
func ReportDecisions(n int) *StartError {
	problem := strconv.Itoa(n) + " things need a decision"
	if n == 1 {
		problem = "one thing needs a decision"
	}
	return &StartError{Code: reportDecisions, Problem: problem}
}

// ReportNothing is a schema that is not there; err says so.
func ReportNothing(err error) *StartError {
	return &StartError{Code: reportNothing, Problem: err.Error()}
}
