package show

import (
	"testing"

	"tunic/internal/catalog"
)

// TestGrantsWithoutLayers: what is told of a grant has no stored column in it.
func TestGrantsWithoutLayers(t *testing.T) {
	table := &catalog.Table{ID: catalog.ID{1}, Schema: "s", Name: "t", Columns: []catalog.Column{
		{Name: "a", Layers: []catalog.Layer{{Stored: "a$eq"}, {Stored: "a$ord"}}}, {Name: "b"},
	}, Families: []catalog.Family{{Stored: "f$form"}}}
	known := catalog.New(false).Next(1, nil, []*catalog.Table{table})
	for text, want := range map[string]string{
		"GRANT SELECT (`a`, `a$eq`, `a$ord`, `b`), INSERT ON `s`.`t` TO `u`@`%`": "GRANT SELECT (`a`, `b`), INSERT ON `s`.`t` TO `u`@`%`",
		"GRANT INSERT (a, a$eq), UPDATE (a$eq, b) ON s.t TO u":                   "GRANT INSERT (a), UPDATE (b) ON s.t TO u",
		`GRANT SELECT ("a$eq") ON "s"."t" TO "u"@"%" WITH GRANT OPTION`:          `GRANT USAGE ON "s"."t" TO "u"@"%" WITH GRANT OPTION`,
		"GRANT SELECT (`a$eq`) ON `s`.`other` TO `u`@`%`":                        "GRANT SELECT (`a$eq`) ON `s`.`other` TO `u`@`%`",
		"GRANT SELECT (`b`, `tunic$1$1`) ON `s`.`t` TO `u`@`%`":                  "GRANT SELECT (`b`) ON `s`.`t` TO `u`@`%`",
		"GRANT SELECT (`tunic$1$1`), UPDATE (`tunic$1$1`) ON `s`.`t` TO `u`@`%`": "",
		"GRANT SELECT (`b`, `f$form`), UPDATE (`f$form`) ON `s`.`t` TO `u`@`%`":  "GRANT SELECT (`b`) ON `s`.`t` TO `u`@`%`",
		"GRANT SELECT ON `s`.* TO `u`@`%`":                                       "GRANT SELECT ON `s`.* TO `u`@`%`",
		"GRANT `r` TO `u`@`%`":                                                   "GRANT `r` TO `u`@`%`",
	} {
		if got := withoutLayers(text, known); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
