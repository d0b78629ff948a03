package difftest

import (
	"regexp"
	"slices"
	"strings"
)

// Columns of the answer to SHOW WARNINGS.
const (
	conditionCode = 1
	conditionText = 2
)

func (r *Result) areConditions() bool {
	return len(r.Columns) == 3 && string(r.Columns[0].Name) == "Level" && string(r.Columns[conditionText].Name) == "Message"
}

// dropConditions drops rows of the answer to SHOW WARNINGS, and returns how many.
func (r *Result) dropConditions(which func(code, text []byte) bool) int {
	before := len(r.Rows)
	r.Rows = slices.DeleteFunc(r.Rows, func(row Row) bool {
		return which(row.Cells[conditionCode].Bytes, row.Cells[conditionText].Bytes)
	})
	dropped := before - len(r.Rows)
	if dropped > 0 {
		r.replace("rows", itoa(len(r.Rows)))
	}
	return dropped
}

// maskUnknownError leaves the condition out of the answer to SHOW WARNINGS.
func maskUnknownError(reply *Reply) {
	for i := range reply.Results {
		if result := &reply.Results[i]; result.areConditions() {
			result.dropConditions(func(code, text []byte) bool {
				return string(code) == "1105" && string(text) == "Unknown error"
			})
		}
	}
}

// dropPlanWarnings leaves warnings that hang on the server's plan out of what SHOW
// WARNINGS says and out of the count before it. A client that counts none does not ask.
func dropPlanWarnings(replies []Reply) []Reply {
	kept := replies[:0]
	for _, reply := range replies {
		dropped := 0
		if reply.Label == warningsLabel && len(reply.Results) == 1 && reply.Results[0].areConditions() {
			dropped = reply.Results[0].dropConditions(ofPlan)
		}
		if dropped > 0 && len(kept) > 0 {
			kept[len(kept)-1].countFewer(dropped)
			if len(reply.Results[0].Rows) == 0 {
				continue
			}
		}
		kept = append(kept, reply)
	}
	return kept
}

// planWarnings are texts of 1292 (ER_TRUNCATED_WRONG_VALUE): of zeros that MySQL has
// written into a table of its own, and of a year that MariaDB has put in the place of
// a column equal to it.
var planWarnings = []*regexp.Regexp{
	regexp.MustCompile(`^Incorrect date(time)? value: '0000-00-00`),
	regexp.MustCompile(`^Truncated incorrect datetime value: '[0-9]{4}'$`),
}

// overflow is ER_DATA_OVERFLOW, MariaDB's of a decimal that it looks for in a key of whole numbers.
const overflow = "1916"

func ofPlan(code, text []byte) bool {
	return string(code) == overflow || string(code) == "1292" && slices.ContainsFunc(planWarnings, func(r *regexp.Regexp) bool { return r.Match(text) })
}

// countFewer takes some of the warnings from the count of a reply's last result.
func (r *Reply) countFewer(dropped int) {
	if len(r.Results) == 0 {
		return
	}
	last := &r.Results[len(r.Results)-1]
	if int(last.Warnings) < dropped {
		return // a count and a list that do not fit are a difference that has to show
	}
	was, is := itoa(int(last.Warnings)), itoa(int(last.Warnings)-dropped)
	last.Warnings -= uint16(dropped)
	last.replace("warnings", is)
	last.replace("info", strings.Replace(last.field("info"), "Warnings: "+was, "Warnings: "+is, 1))
	last.Raw = nil
}
