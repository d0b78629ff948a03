package plan

import (
	"errors"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// TestGrants: a privilege on a column is one on all that is stored of it, and none is
// given on what is tunic's own.
func TestGrants(t *testing.T) {
	c := plantest.Tables(t)
	basket := *c.Table("test", "basket")
	basket.Fenced = true
	c = c.Next(2, []*catalog.Table{c.Table("test", "basket")}, []*catalog.Table{&basket})
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	for text, want := range map[string]string{
		"GRANT SELECT ON person TO u":                                          "forward",
		"GRANT SELECT (name) ON elsewhere TO u":                                "forward",
		"GRANT ALL ON *.* TO u":                                                "forward",
		"GRANT ALL ON `%`.* TO u":                                              "forward",
		"GRANT SELECT (name), UPDATE (`name`, id) ON test.person TO 'u'@'%'":   "GRANT SELECT (name, `name$eq`, `name$ord`), UPDATE (`name`, `name$eq`, `name$ord`, id) ON test.person TO 'u'@'%'",
		"REVOKE SELECT (name) ON TABLE person FROM u":                          "REVOKE SELECT (name, `name$eq`, `name$ord`) ON TABLE person FROM u",
		"GRANT SELECT (`NAME$eq`) ON person TO u":                              "refuse",
		"REVOKE SELECT (id, name$ord) ON person FROM u":                        "refuse",
		"GRANT SELECT (`tunic$09$1`) ON person TO u":                           "refuse",
		"GRANT SELECT (nothing) ON person TO u":                                "GRANT SELECT (nothing) ON person TO u",
		"GRANT SELECT ON _tunic.object TO u":                                   "refuse",
		"GRANT SELECT ON _TUNIC.* TO u":                                        "refuse",
		"GRANT SELECT ON `\\_tunic`.* TO u":                                    "refuse",
		"GRANT SELECT ON `%tunic`.* TO u":                                      "refuse",
		"GRANT SELECT ON `x%`.* TO u":                                          "forward",
		"GRANT SELECT ON basket TO u":                                          "forward",
		"GRANT SELECT (id, place), INSERT (memo) ON basket TO u":               "GRANT SELECT (id, place), INSERT (memo) ON basket TO u",
		"GRANT SELECT (id, `ITEM`) ON test.basket TO u":                        "GRANT SELECT (id, `ITEM`, `item$eq`, `row$form`) ON test.basket TO u",
		"GRANT INSERT (note), REFERENCES (tax), UPDATE (place) ON basket TO u": "GRANT INSERT (note, `row$form`), REFERENCES (tax, `tax$eq`, `cost$form`), UPDATE (place) ON basket TO u",
		"REVOKE UPDATE (item, note) ON basket FROM u":                          "REVOKE UPDATE (item, `item$eq`, note) ON basket FROM u",
		"REVOKE UPDATE (tax, PRICE, item) ON basket FROM u":                    "REVOKE UPDATE (tax, `tax$eq`, `cost$form`, PRICE, `price$eq`, `cost$form`, item, `item$eq`) ON basket FROM u",
		"REVOKE UPDATE (tax), SELECT (price) ON basket FROM u":                 "REVOKE UPDATE (tax, `tax$eq`), SELECT (price, `price$eq`) ON basket FROM u",
		"GRANT SELECT (`row$form`) ON basket TO u":                             "refuse",
	} {
		var fp sql.Fingerprinter
		got := p.Plan(&fp, []byte(text), 0, "test")
		said := got.ActionName()
		if r, ok := got.Action.(*Refuse); ok {
			if e, coded := errors.AsType[*sqlerr.Error](r.Refusal); coded && strings.HasPrefix(want, "refuse ") {
				said += " " + e.Code.String()
			}
		}
		if g, ok := got.Action.(*Grant); ok {
			said = string(g.Text([]byte(text)))
		}
		if said != want {
			t.Errorf("%s: %s, want %s", text, said, want)
		}
	}
}
