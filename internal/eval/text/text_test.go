package text_test

import (
	"testing"

	"tunic/internal/eval/evaltest"
)

func TestParts(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("CONCAT(`text`, '-', `int`)", "Grüße-7", "NULL")
		x.Want("CONCAT_WS('-', `text`, NULL, 'x')", "Grüße-x", "x")
		x.Want("SUBSTRING(`text`, 3, 2)", "üß", "NULL")
		x.Want("SUBSTRING(`text` FROM -2)", "ße", "NULL")
		x.Want("LEFT(`text`, 3)", "Grü", "NULL")
		x.Want("RIGHT(`text`, 2)", "ße", "NULL")
		x.Want("REVERSE(`text`)", "eßürG", "NULL")
		x.Want("REPLACE(`text`, 'ü', 'ue')", "Grueße", "NULL")
		x.Want("TRIM(LEADING 'G' FROM `text`)", "rüße", "NULL")
		x.Want("TRIM('  x ')", "x", "x")
		x.Want("INSERT(`text`, 2, 2, 'xyz')", "Gxyzße", "NULL")
		x.Want("SUBSTRING_INDEX(`text`, 'r', 1)", "G", "NULL")
	}, evaltest.Row{"text": "Grüße", "int": "7"}, evaltest.Row{})
}

func TestFill(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("LPAD(`text`, 5, 'ab')", "abaéx", "NULL")
		x.Want("RPAD(`text`, 5, 'ab')", "éxaba", "NULL")
		x.Want("LPAD(`text`, 1, 'ab')", "é", "NULL")
		x.Want("REPEAT(`text`, 2)", "éxéx", "NULL")
		x.Want("REPEAT(`text`, -1)", "", "NULL")
		x.Want("CONCAT(SPACE(2), `text`)", "  éx", "NULL")
		x.Want("REPEAT(`text`, 1000000000)", "refused", "NULL")
	}, evaltest.Row{"text": "éx"}, evaltest.Row{})
}

// TestFillWithNothing: MariaDB makes NULL of it, MySQL leaves the text as it is.
func TestFillWithNothing(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		want := "a"
		if x.IsMariaDB() {
			want = "NULL"
		}
		x.Want("LPAD(`text`, 5, '')", want)
	}, evaltest.Row{"text": "a"})
}

func TestLengths(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("LENGTH(`text`)", "3", "NULL")
		x.Want("OCTET_LENGTH(`text`)", "3", "NULL")
		x.Want("CHAR_LENGTH(`text`)", "2", "NULL")
		x.Want("CHARACTER_LENGTH(`text`)", "2", "NULL")
		x.Want("BIT_LENGTH(`text`)", "24", "NULL")
	}, evaltest.Row{"text": "éx"}, evaltest.Row{})
}

func TestCase(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("UPPER(`text`)", "ÉX", "NULL")
		x.Want("LOWER(UPPER(`text`))", "éx", "NULL")
		x.Want("UCASE(`text`)", "ÉX", "NULL")
		x.Refuses("UPPER(`latin`)")
	}, evaltest.Row{"text": "éX", "latin": "a"}, evaltest.Row{})
}

// TestSearch: positions are counted in characters, and found in the collation.
func TestSearch(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("LOCATE('X', `text`)", "2", "0", "NULL")
		x.Want("LOCATE('x', `text`, 3)", "4", "0", "NULL")
		x.Want("POSITION('x' IN `text`)", "2", "0", "NULL")
		x.Want("INSTR(`text`, 'é')", "1", "0", "NULL")
		x.Want("FIND_IN_SET(`text`, 'a,éxéx,b')", "2", "0", "NULL")
		x.Want("STRCMP(`text`, 'b')", "1", "-1", "NULL")
	}, evaltest.Row{"text": "éxéx"}, evaltest.Row{"text": "abc"}, evaltest.Row{})
}

// TestLabels: a constant is looked up among the labels of a SET.
func TestLabels(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("FIND_IN_SET('a', `set`)", "1", "NULL")
		x.Want("FIND_IN_SET('b', `set`)", "0", "NULL")
		x.Want("FIND_IN_SET('c', `set`) > 0", map[bool]string{true: "1", false: "refused"}[x.IsMariaDB()], "NULL")
	}, evaltest.Row{"set": "a,c"}, evaltest.Row{})
}
