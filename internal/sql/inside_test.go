package sql

import (
	"testing"
)

// TestInside: the statement that SET STATEMENT is for is told from what it sets.
func TestInside(t *testing.T) {
	for text, want := range map[string]struct {
		kind Kind
		text string
	}{
		"SET STATEMENT max_statement_time = 1 FOR SELECT 1":                  {Select, "SELECT 1"},
		"set statement a = 1, b = substring('for x' from 1 for 2) for USE o": {Use, "USE o"},
		"SET STATEMENT a = 'x for select' FOR EXECUTE IMMEDIATE 'SELECT 1'":  {ExecuteImmediate, "EXECUTE IMMEDIATE 'SELECT 1'"},
		"SET STATEMENT a=1 /* FOR SELECT 1 */ FOR PREPARE p FROM @q":         {Prepare, "PREPARE p FROM @q"},
		"SET STATEMENT `for`=1 FOR BEGIN NOT ATOMIC SELECT 1":                {Compound, "BEGIN NOT ATOMIC SELECT 1"},
		"SET STATEMENT a=1, password='x' FOR DELETE FROM t":                  {Delete, "DELETE FROM t"},
		"SET STATEMENT a=db.for(INSERT('1',1,0,'')) FOR EXECUTE p":           {Execute, "EXECUTE p"},
		"SET STATEMENT a=1 FOR SET STATEMENT b=1 FOR SELECT 1":               {SetStatement, "SET STATEMENT b=1 FOR SELECT 1"},
		"SET STATEMENT a=1 FOR (SELECT 1) UNION SELECT 2":                    {SetOperation, "(SELECT 1) UNION SELECT 2"},
		"SET STATEMENT a=(SELECT 1) FOR SELECT 1":                            {},
		"SET STATEMENT a=1":     {},
		"SET STATEMENT a=1 FOR": {},
	} {
		read, _ := Parse([]byte(text), MariaDB)
		if len(read) == 0 || read[0].Kind != SetStatement {
			t.Errorf("%s: it is %v", text, read)
			continue
		}
		got, ok := read[0].Inside()
		if ok != (want.text != "") || got.Kind != want.kind || string(got.Text()) != want.text {
			t.Errorf("%s: inside is %v, %q, %t", text, got.Kind, got.Text(), ok)
		}
	}
}
