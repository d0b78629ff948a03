package cast_test

import (
	"testing"

	"tunic/internal/eval/evaltest"
)

func TestNumbers(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("CAST(`text` AS SIGNED)", "12", "refused", "NULL")
		x.Want("CAST(`decimal` AS SIGNED)", "3", "-3", "NULL")
		x.Want("CAST(`decimal` AS UNSIGNED)", "3", "refused", "NULL")
		x.Want("CAST(`text` AS DECIMAL(5, 1))", "12.0", "refused", "NULL")
		x.Want("CAST(`decimal` AS DOUBLE)", "2.5", "-2.5", "NULL")
		x.Want("CAST(`decimal` AS DECIMAL(2, 1))", "2.5", "-2.5", "NULL")
	}, evaltest.Row{"text": "12", "decimal": "2.5"}, evaltest.Row{"text": "12a", "decimal": "-2.5"}, evaltest.Row{})
}

// TestText: what a cast would cut is refused, for the server warns.
func TestText(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("CAST(`int` AS CHAR)", "7", "NULL")
		x.Want("CAST(`text` AS CHAR(2))", "éx", "NULL")
		x.Want("CAST(`text` AS CHAR(1))", "refused", "NULL")
		x.Want("HEX(CAST(`text` AS BINARY))", "C3A978", "NULL")
		x.Want("CONVERT(`int`, CHAR)", "7", "NULL")
		x.Want("`text` COLLATE utf8mb4_bin = 'ÉX'", "0", "NULL")
		x.Refuses("CAST(`text` AS BINARY(2))", "`text` COLLATE latin1_swedish_ci")
	}, evaltest.Row{"text": "éx", "int": "7"}, evaltest.Row{})
}

func TestDates(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("CAST(`datetime` AS DATE)", "2024-02-28", "NULL")
		x.Want("CAST(`datetime` AS TIME)", "23:59:59", "NULL")
		x.Want("CAST(`text` AS DATETIME(1))", "2024-02-29 01:02:03.4", "NULL")
		x.Want("CAST(`date` AS DATETIME)", "2024-02-29 00:00:00", "NULL")
		x.Refuses("CAST(`int` AS DATE)")
	}, evaltest.Row{"datetime": "2024-02-28 23:59:59.4", "text": "2024-02-29 01:02:03.4", "date": "2024-02-29"}, evaltest.Row{})
}

// TestDocument: MariaDB has no cast to JSON.
func TestDocument(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		if x.IsMariaDB() {
			x.Refuses("CAST(`text` AS JSON)")
			return
		}
		x.Want("CAST(`text` AS JSON)", `{"a": 1}`, "NULL")
	}, evaltest.Row{"text": `{"a":1}`}, evaltest.Row{})
}
