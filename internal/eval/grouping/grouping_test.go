package grouping_test

import (
	"testing"

	"tunic/internal/eval/evaltest"
)

func rows() []evaltest.Row {
	return []evaltest.Row{
		{"int": "7", "decimal": "1.5", "double": "1", "text": "b"},
		{"int": "2", "decimal": "2.25", "double": "2", "text": "a"},
		{"int": "2", "text": "c"},
		{},
	}
}

func TestNumbers(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.WantGroup("COUNT(*)", "4")
		x.WantGroup("COUNT(`int`)", "3")
		x.WantGroup("COUNT(DISTINCT `int`)", "2")
		x.WantGroup("SUM(`int`)", "11")
		x.WantGroup("SUM(DISTINCT `int`)", "9")
		x.WantGroup("SUM(`decimal` * 2)", "7.50")
		x.WantGroup("SUM(`double`)", "3")
		x.WantGroup("AVG(`int`)", "3.6667")
		x.WantGroup("MIN(`int`)", "2")
		x.WantGroup("MAX(`text`)", "c")
		x.WantGroup("BIT_OR(`int`)", "7")
		x.WantGroup("BIT_AND(`int`)", "2")
		x.WantGroup("BIT_XOR(`int`)", "7")
		x.WantGroup("VAR_POP(`double`)", "0.25")
		x.WantGroup("STDDEV_POP(`double`)", "0.5")
		x.WantGroup("VAR_SAMP(`double`)", "0.5")
	}, rows()...)
}

func TestConcatenation(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.WantGroup("GROUP_CONCAT(`text`)", "b,a,c")
		x.WantGroup("GROUP_CONCAT(`text` ORDER BY `text` DESC SEPARATOR '; ')", "c; b; a")
		x.WantGroup("GROUP_CONCAT(DISTINCT `int`)", "2,7")
		x.WantGroup("GROUP_CONCAT(`int`, `text`)", "7b,2a,2c")
		x.Refuses("GROUP_CONCAT(`text` ORDER BY 1)")
	}, rows()...)
}

func TestDocuments(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		separator := ", "
		if x.IsMariaDB() {
			separator = ","
		}
		x.WantGroup("JSON_ARRAYAGG(`int`)", "[7"+separator+"2"+separator+"2"+separator+"null]")
	}, rows()...)
}

// TestNone: of no rows all are NULL but for what counts.
func TestNone(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.WantGroup("COUNT(*)", "0")
		x.WantGroup("SUM(`int`)", "NULL")
		x.WantGroup("MAX(`text`)", "NULL")
		x.WantGroup("GROUP_CONCAT(`text`)", "NULL")
		x.WantGroup("BIT_AND(`int`)", "18446744073709551615")
	})
}
