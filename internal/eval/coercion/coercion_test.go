package coercion_test

import (
	"testing"

	"tunic/internal/eval/evaltest"
	"tunic/internal/value"
)

// TestNumberOfText: text is a number if it is one from end to end.
func TestNumberOfText(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("`text` + 0", "12", "0.5", "refused", "NULL")
		x.Want("`text` = 12", "1", "0", "refused", "NULL")
	}, evaltest.Row{"text": "12"}, evaltest.Row{"text": "5e-1"}, evaltest.Row{"text": "12 apples"}, evaltest.Row{})
}

// TestNumberOfLabel is its place, and that of a SET its bits.
func TestNumberOfLabel(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("`enum` + 0", "2", "NULL")
		x.Want("`set` + 0", "5", "NULL")
		x.Want("CONCAT(`enum`, `set`)", "twoa,c", "NULL")
	}, evaltest.Row{"enum": "two", "set": "a,c"}, evaltest.Row{})
}

func TestTextOfNumber(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("CONCAT(`int`, '|', `decimal`, '|', `double`)", "-7|2.50|1.5")
		x.Want("CONCAT(`datetime`, '|', `time`)", "2024-02-29 01:02:03.000000|-10:20:30")
		x.Want("CONCAT(`double` / 3)", "0.5")
		x.Want("`datetime` + 0", "20240229010203.000000")
	}, evaltest.Row{"int": "-7", "decimal": "2.5", "double": "1.5", "datetime": "2024-02-29 01:02:03", "time": "-10:20:30"})
}

func TestTruth(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("IF(`decimal`, 'yes', 'no')", "yes", "no", "no")
		x.Want("IF(`double`, 'yes', 'no')", "no", "yes", "no")
		x.Want("NOT `text`", "1", "0", "NULL")
	}, evaltest.Row{"decimal": "0.5", "double": "0", "text": "0"}, evaltest.Row{"decimal": "0", "double": "0.5", "text": "1"}, evaltest.Row{})
}

// TestCollations: the collation of a column counts, two of them are refused, and no column is converted.
func TestCollations(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("`text` = 'É'", "1")
		x.Want("`latin` = 'É'", "1")
		x.Want("`text` = 'É' COLLATE utf8mb4_bin", "0")
		x.Refuses("`text` COLLATE utf8mb4_bin = `text` COLLATE utf8mb4_unicode_ci", "CONCAT(`text`, `latin`)")
	}, evaltest.Row{"text": "é", "latin": "é"})
}

// TestZeros: in a mode without zero dates, a date with zeros is refused where a server may make NULL of it.
func TestZeros(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("DATE(`date`)", "2024-00-00")
		x.Session.Mode |= value.NoZeroInDate
		x.Want("DATE(`date`)", "refused")
	}, evaltest.Row{"date": "2024-00-00"})
}
