package choice_test

import (
	"testing"

	"tunic/internal/eval/evaltest"
)

func TestChoices(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("CASE WHEN `int` > 5 THEN 'many' WHEN `int` > 1 THEN 'some' ELSE 'few' END", "many", "some", "few")
		x.Want("CASE `int` WHEN 7 THEN 'seven' WHEN 2 THEN 'two' END", "seven", "two", "NULL")
		x.Want("IF(`int` > 5, `text`, 'x')", "a", "x", "x")
		x.Want("IFNULL(`text`, 'none')", "a", "none", "none")
		x.Want("COALESCE(NULL, `text`, `int`)", "a", "2", "NULL")
		x.Want("NULLIF(`int`, 7)", "NULL", "2", "NULL")
		x.Want("GREATEST(`int`, 3)", "7", "3", "NULL")
		x.Want("LEAST(`int`, 3)", "3", "2", "NULL")
		x.Want("ELT(`int` - 1, 'p', 'q')", "NULL", "p", "NULL")
		x.Want("FIELD(`int`, 9, 2, 7)", "3", "2", "0")
	}, evaltest.Row{"int": "7", "text": "a"}, evaltest.Row{"int": "2"}, evaltest.Row{})
}

// TestCommon: values of several types become one of a type that is common to them.
func TestCommon(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("COALESCE(`int`, `decimal`)", "7.00", "1.50")
		x.Want("COALESCE(`int`, `double`)", "7", "2.25")
		x.Want("IF(`int` IS NULL, `text`, `int`)", "7", "a")
		x.Refuses("IF(`int` = 7, `int` + 1, `uint`)")
	}, evaltest.Row{"int": "7"}, evaltest.Row{"decimal": "1.5", "double": "2.25", "text": "a"})
}

// TestNames: NVL is MariaDB's.
func TestNames(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		if !x.IsMariaDB() {
			x.Refuses("NVL(`int`, 1)", "NVL2(`int`, 1, 2)")
			return
		}
		x.Want("NVL(`int`, 1)", "7", "1")
		x.Want("NVL2(`int`, 1, 2)", "1", "2")
	}, evaltest.Row{"int": "7"}, evaltest.Row{})
}
