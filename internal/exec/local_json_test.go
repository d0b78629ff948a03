package exec

import (
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/wire/wiretest"
)

// jsonRows are the rows of the table of documents.
var jsonRows = []string{
	`(1, '{"name": "Ann",  "tags" :["a","b"], "n":1,"in":{"x":1.50}}', 'Ann', 1, 1.50)`,
	`(2, '{"name": "bob\\n", "tags":[], "n": 2, "ok":true}', 'Bob', 2, -0.25)`,
	`(3, '[1, 2, {"a": null}]', 'c"d', NULL, NULL)`,
	`(4, '"text"', '', 4, 0.00)`,
	`(5, NULL, NULL, 5, 12.00)`,
	`(6, '{"name": "Zoë", "n": "2", "ok": false}', 'Zoë', 2, 3.14)`,
	`(7, '{"n": 12345678901, "name":null}', 'x', 2, 3.14)`,
}

// jsonStatements are queries over it. Those with an arrow are MySQL's.
var jsonStatements = []string{
	"SELECT id, JSON_EXTRACT(doc, '$.name') FROM docs",
	"SELECT id, JSON_EXTRACT(doc, '$.tags[0]', '$.n') AS x FROM docs",
	"SELECT id, JSON_UNQUOTE(JSON_EXTRACT(doc, '$.name')) FROM docs WHERE JSON_EXTRACT(doc, '$.n') = 2",
	"SELECT id FROM docs WHERE JSON_EXTRACT(doc, '$.name') = 'Ann'",
	"SELECT id FROM docs WHERE JSON_UNQUOTE(JSON_EXTRACT(doc, '$.name')) = 'ann'",
	"SELECT id FROM docs WHERE JSON_UNQUOTE(JSON_EXTRACT(doc, '$.name')) LIKE 'A%' OR JSON_VALUE(doc, '$.n') = '2'",
	"SELECT id FROM docs WHERE JSON_EXTRACT(doc, '$.ok') IS NOT NULL ORDER BY id",
	"SELECT id, JSON_VALUE(doc, '$.in.x'), JSON_VALUE(doc, '$.name') FROM docs",
	"SELECT id, JSON_VALID(doc), JSON_TYPE(doc), JSON_LENGTH(doc), JSON_DEPTH(doc), JSON_KEYS(doc) FROM docs",
	"SELECT id, JSON_LENGTH(doc, '$.tags'), JSON_TYPE(JSON_EXTRACT(doc, '$.in.x')) FROM docs",
	"SELECT id FROM docs WHERE JSON_CONTAINS(doc, '\"a\"', '$.tags')",
	"SELECT id FROM docs WHERE JSON_CONTAINS_PATH(doc, 'one', '$.ok', '$[1]')",
	"SELECT id, JSON_OBJECT('id', id, 'name', name, 'amount', amount, 'many', n > 1, 'yes', TRUE, 'no', NULL) FROM docs",
	"SELECT id, JSON_ARRAY(name, n, JSON_EXTRACT(doc, '$.tags'), 'it''s', 1.5) FROM docs",
	"SELECT id, JSON_SET(doc, '$.n', n, '$.new', name) FROM docs WHERE id IN (1, 2, 5, 6)",
	"SELECT id, JSON_REMOVE(doc, '$.n'), JSON_INSERT(doc, '$.n', 0, '$.m', 1), JSON_REPLACE(doc, '$.n', 0) FROM docs",
	"SELECT id, JSON_MERGE_PATCH(doc, '{\"n\": null, \"z\": [1]}') FROM docs",
	"SELECT id, JSON_QUOTE(name) FROM docs",
	"SELECT JSON_ARRAYAGG(n) FROM docs",
	"SELECT n, JSON_ARRAYAGG(JSON_OBJECT('n', name, 'a', amount)) FROM docs GROUP BY n ORDER BY n",
	"SELECT JSON_OBJECTAGG(id, name) FROM docs",
	"SELECT JSON_ARRAYAGG(n) FROM docs WHERE name = 'nobody'",
}

// documentsTable makes the table, protected in one way.
func (r *rig) documentsTable(protect string) {
	c := func(name, typ, protect string) col { return col{name: name, typ: typ, protect: protect, null: true} }
	r.table("docs", []col{
		{name: "id", typ: "INT", protect: "plain"},
		c("doc", "JSON", "sealed"), c("name", "VARCHAR(20)", protect), c("n", "INT", protect), c("amount", "DECIMAL(10,2)", protect),
	}, primary("id"))
}

// onDocuments runs a test over the table of documents.
func onDocuments(t *testing.T, test func(p *pair)) {
	onServers(t, func(t *testing.T, r *rig) {
		for _, protect := range []string{"sealed", "equality"} {
			t.Run(protect, func(t *testing.T) {
				r := r.another(t)
				r.documentsTable(protect)
				p := r.pair(t, wiretest.ClientCaps)
				p.same("INSERT INTO docs VALUES " + strings.Join(jsonRows, ", "))
				test(p)
			})
		}
	})
}

// TestJSON: documents are read, compared, changed and made as by a plain server.
func TestJSON(t *testing.T) {
	onDocuments(t, func(p *pair) {
		for _, s := range jsonStatements {
			p.bag(s)
		}
		if p.mariadb() {
			return
		}
		for _, s := range []string{
			"SELECT id, doc->'$.name', doc->>'$.name' FROM docs",
			"SELECT id FROM docs WHERE doc->>'$.name' = 'Ann' ORDER BY doc->>'$.name'",
		} {
			p.bag(s)
		}
	})
}

// TestJSONPrepared: paths and values that are parameters.
func TestJSONPrepared(t *testing.T) {
	onDocuments(t, func(p *pair) {
		for _, c := range []struct {
			statement string
			lists     [][]binding.Param
		}{
			{"SELECT JSON_EXTRACT(doc, ?) FROM docs WHERE id = ? ORDER BY id", [][]binding.Param{{str("$.name"), long(1)}, {str("$[2].a"), long(3)}}},
			{"SELECT JSON_UNQUOTE(JSON_EXTRACT(doc, '$.name')) FROM docs WHERE id = ?", [][]binding.Param{{long(2)}, {long(5)}}},
			{"SELECT id FROM docs WHERE JSON_EXTRACT(doc, '$.name') = ? ORDER BY id", [][]binding.Param{{str("Ann")}, {str("nobody")}}},
			{"SELECT id FROM docs WHERE JSON_UNQUOTE(JSON_EXTRACT(doc, '$.name')) = ? ORDER BY id", [][]binding.Param{{str("Ann")}, {str("ann")}}},
			{"SELECT JSON_LENGTH(doc, '$.tags') FROM docs WHERE JSON_CONTAINS_PATH(doc, 'one', ?) ORDER BY id", [][]binding.Param{{str("$.tags")}, {str("$.in.x")}}},
			{"SELECT GROUP_CONCAT(name ORDER BY id SEPARATOR '-') FROM docs WHERE n > ?", [][]binding.Param{{long(0)}, {long(100)}}},
			{"SELECT n, SUM(amount) FROM docs WHERE n < ? GROUP BY n WITH ROLLUP", [][]binding.Param{{long(100)}}},
		} {
			p.preparedLocally(c.statement, c.lists)
		}
	})
}
