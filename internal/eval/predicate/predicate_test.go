package predicate_test

import (
	"testing"

	"tunic/internal/eval/evaltest"
)

func TestComparisons(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("`int` = 7", "1", "0", "NULL")
		x.Want("`int` <=> NULL", "0", "0", "1")
		x.Want("`int` <> 7.0", "0", "1", "NULL")
		x.Want("`decimal` >= '2.5'", "1", "0", "NULL")
		x.Want("`text` = 'ALICE'", "1", "0", "NULL")
		x.Want("`text` < 'b'", "1", "0", "NULL")
		x.Want("`bytes` = 'a'", "1", "0", "NULL")
		x.Want("`date` > '2024-01-01'", "1", "0", "NULL")
		x.Want("`enum` = 'two'", "1", "0", "NULL")
	}, evaltest.Row{"int": "7", "decimal": "2.5", "text": "Alice", "bytes": "a", "date": "2024-02-29", "enum": "two"},
		evaltest.Row{"int": "8", "decimal": "-1", "text": "bob", "bytes": "A", "date": "2023-12-31", "enum": "one"}, evaltest.Row{})
}

func TestLists(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("`int` IN (1, 7, 9)", "1", "0", "NULL")
		x.Want("`int` NOT IN (1, 7, NULL)", "0", "NULL", "NULL")
		x.Want("`text` IN ('ALICE', 'carol')", "1", "0", "NULL")
		x.Want("(`int`, `text`) IN ((7, 'alice'), (9, 'x'))", "1", "0", "NULL")
		x.Want("`int` BETWEEN 5 AND 7", "1", "0", "NULL")
		x.Want("`int` NOT BETWEEN 5 AND 7", "0", "1", "NULL")
	}, evaltest.Row{"int": "7", "text": "Alice"}, evaltest.Row{"int": "8", "text": "bob"}, evaltest.Row{})
}

// TestHexadecimalAmongRows: among several rows MySQL compares integers without a look at the sign, and finds -1 by 0xFFFFFFFFFFFFFFFF.
func TestHexadecimalAmongRows(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("(`int`, `int`) IN ((0xFFFFFFFFFFFFFFFF, `int`), (3, 99))", "refused", "refused")
		if !x.IsMariaDB() {
			x.Want("(`int`, `int`) IN ((0x07, `int`), (3, 99))", "0", "1")
			x.Want("(`uint`, `int`) IN ((0xFFFFFFFFFFFFFFFF, `int`), (3, 99))", "1", "0")
		}
	}, evaltest.Row{"int": "-1", "uint": "18446744073709551615"}, evaltest.Row{"int": "7", "uint": "7"})
}

// TestLike compares character by character: spaces at the end count.
func TestLike(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("`text` LIKE 'al%'", "1", "0", "NULL")
		x.Want("`text` LIKE '_____'", "1", "0", "NULL")
		x.Want("`text` NOT LIKE 'Alice '", "1", "1", "NULL")
		x.Want("`text` LIKE '10|%' ESCAPE '|'", "0", "1", "NULL")
		x.Want("`bytes` LIKE 'A%'", "0", "NULL", "NULL")
		x.Refuses("`text` LIKE 'a' ESCAPE `latin`")
	}, evaltest.Row{"text": "Alice", "bytes": "a"}, evaltest.Row{"text": "10%"}, evaltest.Row{})
}

func TestLogic(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("`int` AND `uint`", "1", "0", "NULL")
		x.Want("`int` OR `uint`", "1", "1", "1")
		x.Want("`int` XOR `uint`", "0", "1", "NULL")
		x.Want("NOT `uint`", "0", "1", "0")
		x.Want("!`uint`", "0", "1", "0")
		x.Want("`int` IS NULL", "0", "0", "1")
		x.Want("ISNULL(`int`)", "0", "0", "1")
		x.Want("`uint` IS NOT TRUE", "0", "1", "0")
	}, evaltest.Row{"int": "7", "uint": "1"}, evaltest.Row{"int": "1", "uint": "0"}, evaltest.Row{"uint": "1"})
}

// TestNear: doubles with so many digits after the point are equal if they are less than half a digit apart.
func TestNear(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("`double` = 0.3", "0")
		x.Want("`int` = '7'", "1")
		x.Want("`int` = '7.5'", "0")
		x.Refuses("`text` = `latin`")
	}, evaltest.Row{"double": "0.30000000000000004", "int": "7"})
}

// TestDocuments: MySQL compares what is found in a document as a document, MariaDB what it stands for.
func TestDocuments(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("JSON_EXTRACT(`text`, '$.a') = 1", "1", "0", "NULL")
		x.Want("JSON_EXTRACT(`text`, '$.b') = 'x'", "1", "NULL", "NULL")
		x.Want("JSON_EXTRACT(`text`, '$.a') > 1.5", "0", "1", "NULL")
	}, evaltest.Row{"text": `{"a": 1, "b": "x"}`}, evaltest.Row{"text": `{"a": 2}`}, evaltest.Row{})
}
