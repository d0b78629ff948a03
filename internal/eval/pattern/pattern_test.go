package pattern_test

import (
	"testing"

	"tunic/internal/eval/evaltest"
)

func TestRegexp(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("`text` REGEXP '^al'", "1", "0", "NULL")
		x.Want("`text` NOT REGEXP 'e$'", "0", "1", "NULL")
		x.Want("REGEXP_INSTR(`text`, 'c')", "4", "0", "NULL")
		x.Want("REGEXP_REPLACE(`text`, '[aeiou]', '-')", "-l-c-", "B-b", "NULL")
		x.Want("REGEXP_SUBSTR(`text`, 'i.')", "ic", map[bool]string{true: "", false: "NULL"}[x.IsMariaDB()], "NULL")
	}, evaltest.Row{"text": "Alice"}, evaltest.Row{"text": "Bob"}, evaltest.Row{})
}

// TestUnknown: what the two libraries may read otherwise is refused, and so is an option of the session.
func TestUnknown(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("`text` REGEXP '('", "refused")
		x.Want("`text` REGEXP '(?<=a)b'", "refused")
		x.Session.RegexFlags = "DOTALL"
		x.Refuses("`text` REGEXP 'a'")
	}, evaltest.Row{"text": "ab"})
}
