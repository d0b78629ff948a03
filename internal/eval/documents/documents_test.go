package documents_test

import (
	"testing"

	"tunic/internal/eval/evaltest"
)

func TestExtract(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("JSON_EXTRACT(`text`, '$.a')", "1", "NULL", "NULL")
		x.Want("JSON_EXTRACT(`text`, '$.b[1]')", `"é"`, "NULL", "NULL")
		x.Want("JSON_UNQUOTE(JSON_EXTRACT(`text`, '$.b[1]'))", "é", "NULL", "NULL")
		x.Want("JSON_VALUE(`text`, '$.a')", "1", "NULL", "NULL")
		x.Want("JSON_KEYS(`text`)", `["a", "b"]`, "NULL", "NULL")
	}, evaltest.Row{"text": `{"a": 1, "b": [2, "é"]}`}, evaltest.Row{"text": "[3]"}, evaltest.Row{})
}

func TestAttributes(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("JSON_VALID(`text`)", "1", "1", "NULL")
		x.Want("JSON_TYPE(`text`)", "OBJECT", "ARRAY", "NULL")
		x.Want("JSON_LENGTH(`text`)", "2", "1", "NULL")
		x.Want("JSON_DEPTH(`text`)", "3", "2", "NULL")
		x.Want("JSON_QUOTE('a\"b')", `"a\"b"`, `"a\"b"`, `"a\"b"`)
	}, evaltest.Row{"text": `{"a": 1, "b": [2, "x"]}`}, evaltest.Row{"text": "[3]"}, evaltest.Row{})
}

func TestContains(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("JSON_CONTAINS(`text`, '2')", "1", "0", "NULL")
		x.Want("JSON_CONTAINS_PATH(`text`, 'one', '$[1]', '$.a')", "1", "0", "NULL")
		x.Want("JSON_OVERLAPS(`text`, '[2, 9]')", "1", "0", "NULL")
	}, evaltest.Row{"text": "[1, 2]"}, evaltest.Row{"text": "[3]"}, evaltest.Row{})
}

// TestMake: servers order members otherwise.
func TestMake(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("JSON_ARRAY(`int`, `text`, TRUE)", `[7, "é", true]`, "[null, null, true]")
		if x.IsMariaDB() {
			x.Want("JSON_OBJECT('name', `text`, 'a', `int`)", `{"name": "é", "a": 7}`, `{"name": null, "a": null}`)
		} else {
			x.Want("JSON_OBJECT('name', `text`, 'a', `int`)", `{"a": 7, "name": "é"}`, `{"a": null, "name": null}`)
		}
		x.Refuses("JSON_ARRAY(`int` / 3)")
	}, evaltest.Row{"text": "é", "int": "7"}, evaltest.Row{})
}

func TestChange(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("JSON_SET(`text`, '$.a', 2, '$.b', 'x')", `{"a": 2, "b": "x"}`, "NULL")
		x.Want("JSON_INSERT(`text`, '$.a', 2, '$.b', 3)", `{"a": 1, "b": 3}`, "NULL")
		x.Want("JSON_REPLACE(`text`, '$.a', 2, '$.b', 3)", `{"a": 2}`, "NULL")
		x.Want("JSON_REMOVE(`text`, '$.a')", "{}", "NULL")
		x.Want("JSON_MERGE_PATCH(`text`, '{\"a\": null, \"c\": 4}')", `{"c": 4}`, "NULL")
		x.Want("JSON_MERGE_PRESERVE(`text`, '{\"a\": 5}')", `{"a": [1, 5]}`, "NULL")
	}, evaltest.Row{"text": `{"a": 1}`}, evaltest.Row{})
}

// TestNoDocument: text that is no document is refused while rows are evaluated.
func TestNoDocument(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("JSON_EXTRACT(`text`, '$.a')", "refused", "1")
		x.Refuses("JSON_EXTRACT(`int`, '$.a')")
	}, evaltest.Row{"text": "{"}, evaltest.Row{"text": `{"a": 1}`})
}
