package exec

import (
	"testing"

	"tunic/internal/binding"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/value"
)

// TestUnstrict: what describes a statement that writes has all of the session's sql_mode but
// what makes errors of warnings.
func TestUnstrict(t *testing.T) {
	for given, want := range map[string]string{
		"":                    "",
		"STRICT_TRANS_TABLES": "",
		"ANSI_QUOTES,STRICT_ALL_TABLES,NO_ZERO_DATE":                                               "ANSI_QUOTES,NO_ZERO_DATE",
		"STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ZERO_IN_DATE,TRADITIONAL,NO_ENGINE_SUBSTITUTION": "NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION",
	} {
		if got := value.Unstrict(given); got != want {
			t.Errorf("%q became %q, want %q", given, got, want)
		}
	}
	for kind, want := range map[sql.Kind]bool{sql.Select: false, sql.SetOperation: false, sql.Insert: true, sql.Replace: true, sql.Update: true, sql.Delete: true} {
		if (&Statement{Statement: binding.Statement{Run: recipe.Run{Kind: kind}}}).writes() != want {
			t.Errorf("%v: not told apart from what writes", kind)
		}
	}
}
