package operand_test

import (
	"testing"

	"tunic/internal/eval/evaltest"
)

// TestColumns: a column is what the row has, of each type.
func TestColumns(t *testing.T) {
	row := evaltest.Row{
		"int": "-7", "uint": "18446744073709551615", "decimal": "-2.50", "double": "1.5", "text": "é", "latin": "é", "bytes": "\x00a",
		"date": "2024-02-29", "datetime": "2024-02-29 01:02:03.000004", "time": "-10:20:30", "enum": "two", "set": "a,c",
	}
	evaltest.Each(t, func(x *evaltest.Table) {
		for name, text := range row {
			if name == "latin" { // which is written in its own character set
				text = "\xe9"
			}
			x.Want("`"+name+"`", text, "NULL")
		}
	}, row, evaltest.Row{})
}

func TestLiterals(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		for text, want := range map[string]string{
			"1": "1", "-1": "-1", "1.50": "1.50", "1e2": "100", "'a'": "a", "x'61'": "a", "TRUE": "1", "NULL": "NULL",
			"18446744073709551615": "18446744073709551615", "DATE '2024-02-29'": "2024-02-29",
		} {
			x.Want(text, want)
		}
		x.Refuses("DEFAULT(`int`)", "b'1'")
	}, evaltest.Row{})
}
