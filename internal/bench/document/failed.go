package document

import (
	"regexp"
	"strings"
)

// FailedRun says in one line why.
func FailedRun(round int, err error) Run {
	reason := strings.ReplaceAll(err.Error(), "\n", "; ")
	return Run{Round: round, Failed: reason, Refused: refusalIn(reason)}
}

// refusal is the code of a statement that tunic knows of and does not carry out, as
// it stands in its errors (docs/errors.md).
var refusal = regexp.MustCompile(`TUNIC-2[0-9]{3}`)

func refusalIn(reason string) string { return refusal.FindString(reason) }
