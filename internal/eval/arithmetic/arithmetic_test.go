package arithmetic_test

import (
	"testing"

	"tunic/internal/eval/evaltest"
	"tunic/internal/value"
)

func TestOperators(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("`int` + 1", "8", "NULL")
		x.Want("`int` - 10", "-3", "NULL")
		x.Want("`int` * `decimal`", "17.50", "NULL")
		x.Want("`int` / 2", "3.5000", "NULL")
		x.Want("`int` DIV 2", "3", "NULL")
		x.Want("`int` % 4", "3", "NULL")
		x.Want("`int` / 0", "NULL", "NULL")
		x.Want("`double` * 2", "3", "NULL")
		x.Want("-`decimal`", "-2.50", "NULL")
		x.Want("`uint` & 6", "4", "NULL")
		x.Want("`uint` << 2", "20", "NULL")
		x.Want("~`uint`", "18446744073709551610", "NULL")
	}, evaltest.Row{"int": "7", "uint": "5", "decimal": "2.5", "double": "1.5"}, evaltest.Row{})
}

func TestNumberFunctions(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("ABS(`int`)", "7", "NULL")
		x.Want("FLOOR(`decimal`)", "-3", "NULL")
		x.Want("CEIL(`decimal`)", "-2", "NULL")
		x.Want("ROUND(`decimal`)", "-3", "NULL")
		x.Want("ROUND(`decimal`, 1)", "-2.5", "NULL")
		x.Want("TRUNCATE(`decimal`, 0)", "-2", "NULL")
		x.Want("SIGN(`int`)", "-1", "NULL")
		x.Want("MOD(`int`, 4)", "-3", "NULL")
		x.Want("SQRT(`double`)", "1.5", "NULL")
		x.Want("POWER(`double`, 2)", "5.0625", "NULL")
		x.Want("BIT_COUNT(`uint`)", "2", "NULL")
		x.Refuses("LN(`double`)", "SIN(`double`)", "EXP(`int`)")
	}, evaltest.Row{"int": "-7", "uint": "5", "decimal": "-2.5", "double": "2.25"}, evaltest.Row{})
}

// TestOverflow: what goes beyond 64 bits is the server's own error.
func TestOverflow(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		const beyond = "error: ERROR 1690 (22003): BIGINT UNSIGNED value is out of range"
		x.Want("`uint` + 1", beyond)
		x.Want("`uint` * 2", beyond)
		x.Want("1 - `uint`", beyond)
	}, evaltest.Row{"uint": "18446744073709551615"})
}

// TestText: text is a number if it is one from end to end.
func TestText(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("`text` + 1", "13", "refused", "NULL")
	}, evaltest.Row{"text": "12"}, evaltest.Row{"text": "12a"}, evaltest.Row{})
}

// TestQuotient: MySQL rounds a quotient to the digits of its type, MariaDB computes with more.
func TestQuotient(t *testing.T) {
	for f, want := range map[value.Flavor]string{value.MariaDB: "7.0000", value.MySQL: "6.9999"} {
		evaltest.New(t, f, evaltest.Row{"int": "7"}).Want("`int` / 3 * 3", want)
	}
}
