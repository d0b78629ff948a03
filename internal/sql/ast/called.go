package ast

import (
	"regexp"

	"vitess.io/vitess/go/vt/sqlparser"
)

// called is how the text of a call begins.
var called = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_]*)\(`)

// Called is the name of the function that an expression calls, as the printer spells it; "" of
// what is no call. It prints nothing of the arguments.
func Called(e Expr) string {
	buf := sqlparser.NewTrackedBuffer(func(*sqlparser.TrackedBuffer, sqlparser.SQLNode) {})
	e.Format(buf)
	if m := called.FindStringSubmatch(buf.String()); m != nil {
		return m[1]
	}
	return ""
}
