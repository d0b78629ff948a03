package eval

import (
	"maps"
	"strings"
)

// documentTexts are spellings of operands that are documents, and text of documents.
var documentTexts = map[string][]string{
	"json": {
		"JSON_EXTRACT(j, '$')", "JSON_EXTRACT(j, '$.a')", "JSON_EXTRACT(j, '$.b')", "JSON_EXTRACT(j, '$.o')", "JSON_EXTRACT(j, '$[0]')",
	},
	"json'": {`JSON_EXTRACT('"x"', '$')`, `JSON_EXTRACT('17', '$')`, `JSON_EXTRACT('{"a": [1, {"p q": "é"}], "b": 2, "o": {"p q": null}}', '$')`, `JSON_EXTRACT('null', '$')`},
	"text":  {"jt"},
	"text'": {
		`'{"b": 1,"a" :[1,2.50, "x", null,true]}'`, `'[ 1,[2, 3],{"a":"b"}]'`, `'"str\\n\\"q"'`, `'-1.5e3'`, `'null'`, `'true'`, `'{"a":{"a":1},"o":{}}'`, `'[]'`, `''`, `'{'`, `'17'`,
	},
	"null'": {"NULL"},
}

// jsonPaths are the paths that functions are measured with.
var jsonPaths = []string{"'$'", "'$.a'", "'$.a[1]'", "'$[0]'", "'$[1].a'", "'$.o.\"p q\"'", "'$.nothing'", "'$.a[9]'"}

// withPaths writes a template for each of the paths, in the place of @.
func withPaths(templates ...string) (all []string) {
	for _, t := range templates {
		for _, p := range jsonPaths {
			all = append(all, strings.ReplaceAll(t, "@", p))
		}
	}
	return all
}

// ofDocuments is an operation on one document.
func ofDocuments(name string, templates ...string) operationCase {
	return operationCase{
		name: name, operands: 1, templates: templates, spelled: documentTexts,
		classes: [][]string{{"json", "json'", "text", "text'", "null'"}},
	}
}

// patterns are spellings of bytes as regular expressions, and of text.
var patterns = map[string][]string{
	"bytes": {"vb", "BINARY 'a'", "BINARY '^[a-c]'", "BINARY 'B.c$'", "BINARY '^a.$'", "BINARY '(ä|Ä)'", "BINARY '[^a]'", "BINARY '.{3}'", "BINARY tb"},
	"text":  {"t", "tc", "tb", "CONCAT(t, 'ä')"}, "text'": {"''", "'a'", "'ABC'", "'äb'", "'^a'"}, "null'": {"NULL"},
}

// literalBytes are bytes, and literals that MariaDB takes for bytes and nothing else.
var literalBytes = map[string][]string{
	"bytes": {"vb", "CAST(tb AS BINARY)"}, "bytes'": {"x'41'", "X''", "x'c3bf'", "x'616263'", "x'00ff'"},
}

// besides are documents, and spellings of what they are compared with.
func besides() map[string][]string {
	all := maps.Clone(operandsOf)
	all["json"] = documentTexts["json"]
	all["json'"] = []string{`JSON_EXTRACT('"x"', '$')`, `JSON_EXTRACT('17', '$')`, `JSON_EXTRACT('-2.25', '$')`, `JSON_EXTRACT('{"p q": "é"}', '$')`, `JSON_EXTRACT('null', '$')`, `JSON_EXTRACT('true', '$')`}
	all["text"] = append([]string{"JSON_UNQUOTE(JSON_EXTRACT(j, '$.a'))", "JSON_UNQUOTE(JSON_EXTRACT(j, '$'))", "JSON_UNQUOTE(j)"}, all["text"]...)
	all["text'"] = append([]string{"'x'", "'str'", `'"str"'`, "'17'", "'-2.25'", "'null'", "'false'", "'{}'"}, all["text'"]...)
	return all
}

// documentOperations are what is measured of documents.
func documentOperations() []operationCase {
	return []operationCase{
		ofDocuments("JSON_EXTRACT", append(withPaths("JSON_EXTRACT(%1, @)"), "JSON_EXTRACT(%1, '$.*')", "JSON_EXTRACT(%1, '$[*]')", "JSON_EXTRACT(%1, '$.a', '$.b')", "JSON_EXTRACT(%1, '$.b', '$.a[0]', '$.a')")...),
		operationCase{name: "JSON_EXTRACT", operands: 1, templates: []string{"JSON_EXTRACT(%1, '$.1.2a')", "JSON_EXTRACT(%1, '$.9')"}, classes: [][]string{{"text'"}}, spelled: map[string][]string{
			"text'": {`'{"1": {"2a": [3]}, "9": null}'`, "'[1]'", "'{}'"},
		}},
		ofDocuments("JSON_UNQUOTE", append(withPaths("JSON_UNQUOTE(JSON_EXTRACT(%1, @))"), "JSON_UNQUOTE(%1)")...),
		ofDocuments("JSON_VALUE", withPaths("JSON_VALUE(%1, @)")...),
		ofDocuments("JSON_VALID", "JSON_VALID(%1)"),
		ofDocuments("JSON_TYPE", append(withPaths("JSON_TYPE(JSON_EXTRACT(%1, @))"), "JSON_TYPE(%1)")...),
		ofDocuments("JSON_LENGTH", append(withPaths("JSON_LENGTH(%1, @)"), "JSON_LENGTH(%1)")...),
		ofDocuments("JSON_DEPTH", "JSON_DEPTH(%1)"),
		ofDocuments("JSON_KEYS", append(withPaths("JSON_KEYS(%1, @)"), "JSON_KEYS(%1)")...),
		ofDocuments("JSON_PRETTY", "JSON_PRETTY(%1)"),
		ofDocuments("JSON_REMOVE", withPaths("JSON_REMOVE(%1, @)", "JSON_REMOVE(%1, '$.b', @)")...),
		ofDocuments("JSON_CONTAINS_PATH", append(withPaths("JSON_CONTAINS_PATH(%1, 'one', @)"), "JSON_CONTAINS_PATH(%1, 'all', '$.a', '$.b')", "JSON_CONTAINS_PATH(%1, 'ONE', '$.a', '$.b')")...),
		ofDocuments("JSON_CONTAINS", append(withPaths("JSON_CONTAINS(%1, '1', @)", `JSON_CONTAINS(%1, '"x"', @)`), "JSON_CONTAINS(%1, '[1]')", `JSON_CONTAINS(%1, '{"a": [1]}')`,
			"JSON_CONTAINS(%1, '1.0')", "JSON_CONTAINS(%1, '[[2]]')", "JSON_CONTAINS(%1, j)", "JSON_CONTAINS(%1, JSON_EXTRACT(j, '$.a'))", "JSON_CONTAINS('[1, 2.5, \"x\", [2, 3], null, true, {\"a\": 1, \"b\": 2}]', %1)")...),
		ofDocuments("JSON_OVERLAPS", "JSON_OVERLAPS(%1, '[1]')", "JSON_OVERLAPS('[2.5, null, \"x\"]', %1)", `JSON_OVERLAPS(%1, '{"a": 1, "b": 2}')`, "JSON_OVERLAPS(%1, '1.0')", "JSON_OVERLAPS(%1, j)", "JSON_OVERLAPS('true', %1)"),
		operationCase{
			name: "JSON_OVERLAPS", operands: 2, templates: []string{"JSON_OVERLAPS(%1, %2)"}, spelled: documentTexts,
			classes: [][]string{{"json", "text", "text'", "null'"}, {"json", "text", "text'", "null'"}},
		},
		operationCase{name: "MEMBER OF", operands: 1, templates: []string{"%1 MEMBER OF ('[1, 5, -2.5, \"a\", null, true, \"2020-01-02\"]')", "%1 MEMBER OF (JSON_EXTRACT(j, '$.a'))", "%1 MEMBER OF (j)", "%1 MEMBER OF ('1')"}},
		operationCase{name: "MEMBER OF", operands: 1, templates: []string{"%1 MEMBER OF ('[1, 5, -2.5, \"a\", null, true]')", "%1 MEMBER OF (j)"}, classes: [][]string{{"json"}}, spelled: documentTexts},
		ofDocuments("JSON_SET", append(withPaths("JSON_SET(%1, @, 1)", "JSON_SET(%1, @, 'x\"y')"), "JSON_SET(%1, '$.z', NULL, '$.a', TRUE, '$.bb', JSON_EXTRACT(j, '$.a'))")...),
		ofDocuments("JSON_INSERT", withPaths("JSON_INSERT(%1, @, 1)", "JSON_INSERT(%1, '$.c', 5, @, d)")...),
		ofDocuments("JSON_REPLACE", withPaths("JSON_REPLACE(%1, @, i)")...),
		ofDocuments("JSON_ARRAY_APPEND", withPaths("JSON_ARRAY_APPEND(%1, @, 1)")...),
		ofDocuments("JSON_MERGE_PATCH", `JSON_MERGE_PATCH(%1, '{"a": null, "z": {"y": null, "x": 1}, "o": {"p q": 2}}')`, "JSON_MERGE_PATCH('{\"a\": {\"q\": 1}, \"b\": 2}', %1)", "JSON_MERGE_PATCH(%1, '[1]')"),
		ofDocuments("JSON_MERGE_PRESERVE", `JSON_MERGE_PRESERVE(%1, '{"a": null, "z": 1}')`, "JSON_MERGE_PRESERVE(%1, '[1]')", "JSON_MERGE_PRESERVE(%1, '1')", `JSON_MERGE_PRESERVE('{"a": {"q": 1}, "b": 2}', %1)`),
		operationCase{name: "JSON_QUOTE", operands: 1, templates: []string{"JSON_QUOTE(%1)"}, classes: [][]string{{"text", "text'", "null'"}}},
		operationCase{name: "JSON_ARRAY", operands: 1, templates: []string{"JSON_ARRAY(%1)", "JSON_ARRAY(1, %1, 'x')", "JSON_ARRAY(i > 0, %1 IS NULL, TRUE)"}},
		operationCase{name: "JSON_OBJECT", operands: 1, templates: []string{"JSON_OBJECT('k', %1)", "JSON_OBJECT('bb', %1, 'a', 1, 'c', JSON_ARRAY(%1))", "JSON_OBJECT(CONCAT('k', i > 0), %1, 'k', 2)"}},
		operationCase{name: "JSON_ARRAY", operands: 1, templates: []string{"JSON_ARRAY(%1)", "JSON_ARRAY(1, %1, JSON_ARRAY(%1))"}, classes: [][]string{{"json"}}, spelled: documentTexts},
		operationCase{name: "JSON_OBJECT", operands: 1, templates: []string{"JSON_OBJECT('k', %1)", "JSON_OBJECT('k', JSON_ARRAY(%1), 'b', %1)"}, classes: [][]string{{"json"}}, spelled: documentTexts},
		operationCase{
			name: "=", operands: 2, templates: []string{"%1 = %2", "%1 < %2", "%1 <=> %2"}, spelled: besides(),
			classes: [][]string{{"json"}, {"int", "int'", "uint", "uint'", "decimal", "decimal'", "double", "double'", "text", "text'", "json"}},
		},
		operationCase{
			name: "=", operands: 2, templates: []string{"%1 = %2", "%1 < %2", "%1 <=> %2"}, spelled: besides(),
			classes: [][]string{{"text", "text'", "json", "json'", "int", "int'", "decimal'", "null'"}, {"json", "json'"}},
		},
		operationCase{name: "CAST AS SIGNED", operands: 1, templates: []string{"CAST(%1 AS SIGNED)"}, classes: [][]string{{"json", "json'"}}, spelled: besides()},
		operationCase{name: "CAST AS UNSIGNED", operands: 1, templates: []string{"CAST(%1 AS UNSIGNED)"}, classes: [][]string{{"json", "json'"}}, spelled: besides()},
		operationCase{name: "CAST AS DECIMAL", operands: 1, templates: []string{"CAST(%1 AS DECIMAL(20,3))", "CAST(%1 AS DECIMAL)", "CAST(%1 AS DECIMAL(10,6))"}, classes: [][]string{{"json", "json'"}}, spelled: besides()},
		operationCase{name: "CAST AS DOUBLE", operands: 1, templates: []string{"CAST(%1 AS DOUBLE)"}, classes: [][]string{{"json", "json'"}}, spelled: besides()},
		operationCase{name: "CAST AS CHAR", operands: 1, templates: []string{"CAST(%1 AS CHAR)", "CAST(%1 AS CHAR(100))"}, classes: [][]string{{"json", "json'"}}, spelled: besides()},
		ofDocuments("CAST AS JSON", "CAST(%1 AS JSON)", "JSON_EXTRACT(CAST(%1 AS JSON), '$.a')", "CAST(%1 AS JSON) = j"),
		operationCase{name: "LOWER", operands: 1, templates: []string{"LOWER(%1)"}, classes: [][]string{{"json", "json'"}}, spelled: besides()},
		operationCase{name: "UPPER", operands: 1, templates: []string{"UPPER(%1)"}, classes: [][]string{{"json", "json'"}}, spelled: besides()},
		operationCase{name: "IN", operands: 2, templates: []string{"%1 IN (%2, JSON_EXTRACT('5', '$'))", "%1 NOT IN (%2)"}, classes: [][]string{{"text", "json"}, {"json'"}}, spelled: besides()},
		operationCase{name: "IN", operands: 2, templates: []string{"%1 IN (%2, 'str')", "%1 NOT IN (%2)"}, classes: [][]string{{"json"}, {"text'"}}, spelled: besides()},
		operationCase{name: "IN", operands: 2, templates: []string{"%1 IN (%2, 'STR')", "%1 NOT IN (%2)"}, classes: [][]string{{"text"}, {"text'"}}, spelled: map[string][]string{
			"text": besides()["text"][:3], "text'": {"'x'", "'X'", "'str'", "'17'", "'É'"},
		}},
		operationCase{name: "IN", operands: 2, templates: []string{"%1 IN (CONCAT('zz', 'z'), %2)", "%1 NOT IN (%2, '5', 'abc')"}, classes: [][]string{{"text"}, {"text'"}}, spelled: map[string][]string{
			"text": {"t", "tb", "tc"}, "text'": {"'a'", "'5'", "CONCAT('A', '')"},
		}},
		operationCase{name: "WHEN", operands: 2, templates: []string{"CASE %1 WHEN %2 THEN 1 ELSE 2 END"}, classes: [][]string{{"json"}, {"text'", "json'", "int'", "decimal'"}}, spelled: besides()},
		operationCase{name: "CASE", operands: 2, templates: []string{"CASE WHEN i > 0 THEN %1 ELSE %2 END"}, classes: [][]string{{"json"}, {"json", "null'"}}, spelled: besides()},
		operationCase{name: "COALESCE", operands: 2, templates: []string{"COALESCE(%1, %2)"}, classes: [][]string{{"json"}, {"json", "null'"}}, spelled: besides()},
		operationCase{name: "LIKE", operands: 2, templates: []string{"%1 LIKE %2", "%1 NOT LIKE %2"}, classes: [][]string{{"json", "text"}, {"text'"}}, spelled: besides()},
		operationCase{name: "=", operands: 2, templates: []string{"%1 = %2", "%1 <> %2", "%2 < %1", "%1 <=> %2"}, classes: [][]string{{"bytes", "bytes'"}, {"bytes", "bytes'"}}, spelled: literalBytes},
		operationCase{name: "IN", operands: 2, templates: []string{"%1 IN (%2)", "%1 NOT IN (%2, x'ff', x'')"}, classes: [][]string{{"bytes"}, {"bytes'"}}, spelled: literalBytes},
		operationCase{name: "BETWEEN", operands: 2, templates: []string{"%1 BETWEEN x'00' AND %2", "%1 NOT BETWEEN %2 AND x'c3'"}, classes: [][]string{{"bytes"}, {"bytes'"}}, spelled: literalBytes},
		operationCase{
			name: "REGEXP BINARY", operands: 2, templates: []string{"%1 REGEXP %2", "%1 NOT REGEXP %2"}, spelled: patterns,
			classes: [][]string{{"text", "text'", "bytes", "null'"}, {"bytes"}},
		},
		operationCase{name: "REGEXP BINARY", operands: 2, templates: []string{"%1 REGEXP %2"}, spelled: patterns, classes: [][]string{{"bytes"}, {"text", "text'"}}},
		operationCase{name: "=", operands: 2, templates: []string{"%1 = TRUE", "%1 = %2"}, spelled: map[string][]string{
			"json": documentTexts["json"], "text'": {"'x'", "'str'", "'é'"}, "int'": {"17", "-2", "FALSE"}, "decimal'": {"-2.25", "2.5"},
		}, classes: [][]string{{"json"}, {"text'", "int'", "decimal'"}}},
		operationCase{name: "IS NULL", operands: 1, templates: []string{"%1 IS NULL", "%1 IS NOT NULL"}, classes: [][]string{{"json"}}, spelled: documentTexts},
	}
}
