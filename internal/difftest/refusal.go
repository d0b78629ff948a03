package difftest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// refusal is what tunic has refused of a step.
type refusal struct {
	code string // "TUNIC-2001"
	// executions are the numbers of the executions that were refused; none if the
	// statement was refused altogether.
	executions []int
}

var refusalCode = regexp.MustCompile(`TUNIC-2[0-9]{3}`)

// refusedStatement returns what the replies say of a refusal, nil if nothing was
// refused. Errors of other classes are no refusals: they are differences.
func refusedStatement(replies []Reply) *refusal {
	var found *refusal
	for i := range replies {
		code := replies[i].refusalCode()
		if code == "" || replies[i].Label == warningsLabel {
			continue
		}
		if found == nil {
			found = &refusal{code: code}
		}
		n, ok := replies[i].execution()
		if !ok {
			return &refusal{code: code}
		}
		if !slices.Contains(found.executions, n) {
			found.executions = append(found.executions, n)
		}
	}
	return found
}

// warningsLabel is the reply to the harness's own SHOW WARNINGS.
const warningsLabel = "warnings"

func (r *Reply) refusalCode() string {
	for i := range r.Results {
		if r.Results[i].ErrNumber == 0 {
			continue
		}
		if code := refusalCode.FindString(r.Results[i].field("error.message")); code != "" {
			return code
		}
	}
	return ""
}

// execution is the number in "execute-2" and "fetch-2-0".
func (r *Reply) execution() (int, bool) {
	words := strings.Split(r.Label, "-")
	if len(words) < 2 || words[0] != "execute" && words[0] != "fetch" {
		return 0, false
	}
	n, err := strconv.Atoi(words[1])
	return n, err == nil
}

// withoutExecutions leaves out the replies to some executions, and the harness's
// questions after them.
func withoutExecutions(replies []Reply, executions []int) []Reply {
	var left []Reply
	skipping := false
	for _, reply := range replies {
		if n, ok := reply.execution(); ok {
			skipping = slices.Contains(executions, n)
		} else if reply.Label != warningsLabel {
			skipping = false
		}
		if !skipping {
			left = append(left, reply)
		}
	}
	return left
}

// twoWords are the words that say too little without the next one.
var twoWords = []string{"CREATE", "ALTER", "DROP", "RENAME", "SHOW", "TRUNCATE", "COMMAND"}

// ignoredWords say nothing of the kind of a statement.
var ignoredWords = []string{"OR", "REPLACE", "TEMPORARY", "UNIQUE", "FULL", "IGNORE", "IF", "EXISTS"}

// statementKind is what a refusal is counted under: the statement's first word, or
// two of them.
func statementKind(step *Step) string {
	words := strings.Fields(strings.ToUpper(strings.NewReplacer("(", " ", ";", " ").Replace(step.Text())))
	if len(words) == 0 {
		return "nothing"
	}
	if words[0] == "WITH" || !slices.Contains(twoWords, words[0]) {
		return words[0]
	}
	for _, w := range words[1:] {
		if !slices.Contains(ignoredWords, w) {
			return words[0] + " " + w
		}
	}
	return words[0]
}

// readers are the kinds that leave the tables as they are, so that both sides agree
// after one of them has been refused.
var readers = []string{"SELECT", "DESCRIBE", "DESC", "EXPLAIN", "TABLE", "VALUES", "WITH", "DO"}

func onlyReads(step *Step) bool {
	kind := statementKind(step)
	return slices.Contains(readers, kind) || strings.HasPrefix(kind, "SHOW")
}
