package eval

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tunic/internal/eval/supported"
	"tunic/internal/value"
)

const documentHead = `<!-- Generated from internal/eval/supported/supported.tsv by go test ./internal/eval -run TestDocument -rewrite. Do not edit. -->

# What is computed

tunic computes on opened rows what the server cannot compute on ciphertext
([local work](local.md)). It computes only operations whose results are known to equal the
server's. Each operation below was measured against MariaDB and MySQL, with columns and
literals of every type in every position. TiDB is treated as MySQL.

A row lists the types of columns that the operation accepts in at least one position. Not every
two types go together: [TUNIC-2010](errors.md#tunic-2010) names those that do not.

- An operation with units has one row for each unit: ` + "`INTERVAL DAY`" + `, ` + "`EXTRACT YEAR`" + `,
  ` + "`TIMESTAMPDIFF HOUR`" + `.
- ` + "`NOW()`" + `, ` + "`CURDATE()`" + ` and similar functions are computed too. They keep one value for the whole statement.
- tunic makes the values of ` + "`UUID()`" + `, ` + "`RAND()`" + ` and ` + "`RANDOM_BYTES(n)`" + ` for rows that are written,
  and those of ` + "`RAND()`" + ` for ORDER BY.
- The list does not limit statements that name no protected table: the server runs them.

| operation | columns of |
|---|---|
`

// TestDocument compares docs/functions.md with the list.
func TestDocument(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "functions.md")
	want := documentText()
	if *rewrite {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Errorf("%s is not what the list says; run go test ./internal/eval -run TestDocument -rewrite", path)
	}
}

func documentText() string {
	classes := map[string]map[value.Flavor]map[string]bool{}
	for key := range supported.All() {
		byFlavor := classes[key.Operation]
		if byFlavor == nil {
			byFlavor = map[value.Flavor]map[string]bool{value.MariaDB: {}, value.MySQL: {}}
			classes[key.Operation] = byFlavor
		}
		for class := range strings.SplitSeq(key.Operands, ", ") {
			if !strings.HasSuffix(class, "'") {
				byFlavor[key.Flavor][class] = true
			}
		}
	}
	var b strings.Builder
	b.WriteString(documentHead)
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		fmt.Fprintf(&b, "| %s | %s |\n", documentName(name), documentClasses(classes[name]))
	}
	return b.String()
}

// documentName is an operation as a cell.
func documentName(name string) string {
	switch name {
	case "truth":
		return "a condition by itself, `AND`, `OR`, `XOR`, `NOT`"
	case "=":
		return "`=`, `<>`, `<`, `<=`, `>`, `>=`, `<=>`"
	}
	return "`" + strings.ReplaceAll(name, "|", `\|`) + "`"
}

// documentClasses are the types of columns, and those of one flavor alone.
func documentClasses(of map[value.Flavor]map[string]bool) string {
	var both, mariadb, mysql []string
	for _, class := range documentOrder {
		switch m, y := of[value.MariaDB][class], of[value.MySQL][class]; {
		case m && y:
			both = append(both, documentTypes[class])
		case m:
			mariadb = append(mariadb, documentTypes[class])
		case y:
			mysql = append(mysql, documentTypes[class])
		}
	}
	if len(both) == len(documentOrder) {
		return "every type"
	}
	parts := make([]string, 0, 3)
	if len(both) > 0 {
		parts = append(parts, strings.Join(both, ", "))
	}
	if len(mariadb) > 0 {
		parts = append(parts, "MariaDB: "+strings.Join(mariadb, ", "))
	}
	if len(mysql) > 0 {
		parts = append(parts, "MySQL: "+strings.Join(mysql, ", "))
	}
	return strings.Join(parts, "; ")
}

// documentTypes are the SQL types of the classes that columns have.
var documentTypes = map[string]string{
	"int": "integers", "uint": "unsigned integers", "year": "YEAR", "bit": "BIT", "decimal": "DECIMAL", "float": "FLOAT",
	"double": "DOUBLE", "text": "text", "bytes": "binary strings", "date": "DATE", "time": "TIME", "datetime": "DATETIME",
	"timestamp": "TIMESTAMP", "enum": "ENUM", "set": "SET", "json": "JSON",
}

var documentOrder = []string{
	"int", "uint", "year", "bit", "decimal", "float", "double", "text", "bytes", "date", "time", "datetime", "timestamp", "enum", "set", "json",
}

// TestDocumentTypes: every class of a column in the list has a word in the document.
func TestDocumentTypes(t *testing.T) {
	for key := range supported.All() {
		for class := range strings.SplitSeq(key.Operands, ", ") {
			if _, ok := documentTypes[class]; !ok && !strings.HasSuffix(class, "'") {
				t.Fatalf("%s has operands of %q", key.Operation, class)
			}
		}
	}
	if len(documentOrder) != len(documentTypes) {
		t.Error("the order does not have every type")
	}
}
