package proxy

import (
	"strings"
	"testing"

	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// TestHide: no literal of an expression is left in what the server is told, and all of
// them are in what is made of its account.
func TestHide(t *testing.T) {
	for _, text := range []string{
		"(`a` > 4711)", "(`a` between 10 and 2000)", "(`b` like _utf8mb4'secret%')", "(`c` in (1.50,2.25))",
		"(`d` >= DATE'2024-02-29')", "(`d` >= _utf8mb4'2024-02-29')", "(`d` < _utf8mb4'2024-02-29 11:12:13')",
		`concat(_utf8mb4'it\'s',_utf8mb4'\\d',` + "`b`)", "(`a` = 12) or (`a` = 13)", "cast(`a` as char(13) charset utf8mb4)",
	} {
		for how, hide := range map[string]func(*Literals, string) string{"expression": hidden1, "default": hiddenDefault} {
			h := NewLiterals()
			told := hide(h, text)
			for _, word := range []string{"4711", "2000", "secret", "1.50", "2.25", "2024", "11:12", "it", "\\\\d"} {
				if strings.Contains(text, word) && strings.Contains(told, word) {
					t.Errorf("%s of %s: %s has %s", how, text, told, word)
				}
			}
			if len(h.put) != 0 {
				t.Errorf("%s: put back before it was shown", text)
			}
			back, err := tsql.Expression(h.PutBack(told), 0)
			want, wrong := tsql.Expression(text, 0)
			if err != nil || wrong != nil || !sameExpression(back, want) || len(h.put) != len(h.texts) {
				t.Errorf("%s of %s: %s, back %s", how, text, told, h.PutBack(told))
			}
		}
	}
}

// TestHideable: what cannot be hidden is not.
func TestHideable(t *testing.T) {
	for text, want := range map[string]bool{
		"(`a` > 1)": true, "(`a` > 1.5)": true, "(`a` > 1e3)": false, "(`a` > 0x41)": false, "(`a` = x'41')": false, "(`a` > b'1')": false,
		"(`a` like _utf8mb4'x|%' escape '|')": false, "(`a` > (select 1))": false, "(`a` > TIMESTAMP'2024-01-01 00:00:00')": false,
		"(`a` = _utf8mb4'x\\ny')": false, "(`a` = _utf8mb4'x''y')": true, "(`a` > 01)": false, "(`a` is null)": true, "(`a` = true)": true,
	} {
		e, err := tsql.Expression(text, 0)
		if err != nil {
			if want {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if got := CanHide(e); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func hidden1(h *Literals, text string) string {
	e, _ := tsql.Expression(text, 0)
	h.Hide(e)
	return printed1(e)
}

func hiddenDefault(h *Literals, text string) string {
	e, _ := tsql.Expression(text, 0)
	h.HideDefault(e)
	return printed1(e)
}

// printed1 is an expression as a server might show it.
func printed1(e ast.Expr) string {
	text, ok := printedExpression(e)
	if !ok {
		return "it cannot be printed"
	}
	return text
}

func sameExpression(a, b ast.Expr) bool { return printed1(a) == printed1(b) }
