package exec

import (
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/value"
)

// TestDocuments: a JSON column of MariaDB takes what the server would, or tunic
// refuses.
func TestDocuments(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		if r.flavor != value.MariaDB {
			t.Skip("only MariaDB's JSON is text with a CHECK")
		}
		for _, s := range []string{
			`1`, `-0`, `1e5`, `1E+5`, `1.5`, `1.`, `.5`, `+1`, `01`, `-`, ``, ` 1 `, `NaN`, `tru`, `TRUE`, `true`, `null`, `"a"`, `"a`, `"\x"`, `"\n"`, "\"\t\"", `"\u0041"`, `"\ud800"`, `"\u00fc"`, `{"\u00e9":["\u4e2D\uFFFD","\\u00", "\\\u0031"]}`, `"\u0000"`, `"\ud83d\ude00"`,
			`{"a":1}`, `{"a":1,}`, `{"a" 1}`, `{a:1}`, `{"a":1 "b":2}`, `{"a":1,"a":2}`, `[]`, `[1,]`, `[1,2`, `1 2`, `{}`, `"é€😀"`, `{"é":[{"b":[null,false]}]}`,
			strings.Repeat("[", 31) + strings.Repeat("]", 31), strings.Repeat("[", 33) + strings.Repeat("]", 33), `"[[["`, `"\"[[["`,
		} {
			valid, known := binding.IsDocument([]byte(s))
			if !known {
				continue
			}
			var is bool
			if err := r.db.QueryRowContext(t.Context(), "SELECT JSON_VALID(?)", s).Scan(&is); err != nil {
				t.Fatal(err)
			}
			if is != valid {
				t.Errorf("%s: %v, the server says %v", s, valid, is)
			}
		}
	})
}
