package proxy

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tunic/internal/ddl/showcreate"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// The literals of an expression over protected columns say what is in the columns. The
// server is to show the expression in its own way without knowing them, so each is
// replaced by one of the same sort that says nothing, and put back into what is shown.

// hiddenNumber is the first of the numbers that stand for others.
const hiddenNumber = 917300000

// hiddenDay is the first of the dates that stand for others.
var hiddenDay = time.Date(1801, 1, 1, 0, 0, 0, 0, time.UTC)

// Literals that servers show as they are written.
var (
	plainInteger = regexp.MustCompile(`^(0|[1-9][0-9]{0,17})$`)
	plainDecimal = regexp.MustCompile(`^(0|[1-9][0-9]{0,17})\.[0-9]{1,20}$`)
	plainDate    = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
)

// CanHide reports whether every literal of an expression can be hidden, and be shown
// again as the server would.
func CanHide(e ast.Expr) bool {
	can := true
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.Literal:
			can = can && hideableLiteral(n)
		case *ast.IntroducerExpr:
			can = can && slices.Contains([]string{"_utf8mb4", "_utf8mb3", "_utf8", "_ascii"}, strings.ToLower(n.CharacterSet))
		case *ast.ComparisonExpr:
			can = can && n.Escape == nil // the server looks at it when it reads the definition
		case *ast.Subquery, *ast.Argument:
			can = false
		}
		return can, nil
	}, e)
	return can
}

func hideableLiteral(l *ast.Literal) bool {
	switch l.Type {
	case ast.IntVal:
		return plainInteger.MatchString(l.Val)
	case ast.DecimalVal:
		return plainDecimal.MatchString(l.Val)
	case ast.DateVal:
		return plainDate.MatchString(l.Val)
	case ast.StrVal:
		return strings.IndexFunc(l.Val, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\ufffd' }) < 0
	default:
		return false
	}
}

// Literals are the literals of one expression, or of all CHECKs of a definition: texts by
// what stands for them, and which of those the server has shown again.
type Literals struct {
	// number and step make the numbers that stand for others.
	number int
	texts  map[string]string
	put    map[string]bool
}

// NewLiterals hides nothing yet.
func NewLiterals() *Literals {
	return &Literals{number: hiddenNumber, texts: map[string]string{}, put: map[string]bool{}}
}

// Hide replaces the literals of an expression, in place.
func (h *Literals) Hide(e ast.Expr) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if l, ok := n.(*ast.Literal); ok {
			l.Val = h.proxyOf(l)
		}
		return true, nil
	}, e)
}

// HideDefault is hide for a DEFAULT. MariaDB computes one that no column is in, and
// minds whether it fits the column: the numbers are small, and none that the server may
// show for something else.
func (h *Literals) HideDefault(e ast.Expr) {
	text, ok := printedExpression(e)
	if !ok || len(showcreate.Tokens(text)) > 2*hiddenSmall { // perhaps with more literals than numbers are looked at
		h.Hide(e) // by numbers that nothing else has
		return
	}
	shown := map[string]bool{}
	for _, word := range showcreate.Tokens(text) {
		shown[word.Of(text)] = true
	}
	for h.number = hiddenSmall; slices.ContainsFunc(numbersFrom(h.number), func(n string) bool { return shown[n] }); {
		h.number += hiddenSmall
	}
	h.Hide(e)
}

// printedExpression is the text of an expression.
func printedExpression(e ast.Expr) (text string, ok bool) {
	query := &ast.Select{
		SelectExprs: &ast.SelectExprs{Exprs: []ast.SelectExpr{&ast.AliasedExpr{Expr: e}}},
		From:        ast.TableExprs{&ast.AliasedTableExpr{Expr: ast.TableName{Name: ast.Name("dual")}}},
	}
	printed, err := sql.NewTree(query, nil).Print(0)
	if err != nil {
		return "", false
	}
	return strings.TrimSuffix(strings.TrimPrefix(printed.String(), "select "), " from dual"), true
}

// hiddenSmall is the first of the small numbers.
const hiddenSmall = 24

// numbersFrom are the numbers that may come to stand for literals of a DEFAULT.
func numbersFrom(first int) (all []string) {
	for n := first; n < first+hiddenSmall; n++ {
		all = append(all, strconv.Itoa(n))
	}
	return all
}

// proxyOf is what stands for a literal.
func (h *Literals) proxyOf(l *ast.Literal) string {
	n, shown := len(h.texts), l.Val
	var proxy string
	switch l.Type {
	case ast.IntVal:
		proxy = strconv.Itoa(h.number + n)
	case ast.DecimalVal:
		_, fraction, _ := strings.Cut(l.Val, ".")
		proxy = fmt.Sprintf("%d.%0*d", h.number+n, len(fraction), 1)
	case ast.DateVal:
		proxy = hiddenDay.AddDate(0, 0, n).Format(time.DateOnly)
	default:
		proxy, shown = proxyText(l.Val, n), printedEscapes.Replace(l.Val)
	}
	h.texts[proxy] = shown
	return proxy
}

// proxyText is what stands for a string. MySQL looks at one that is compared with a date,
// and at a path of JSON.
func proxyText(text string, n int) string {
	day := hiddenDay.AddDate(0, 0, n).Format(time.DateOnly)
	switch {
	case len(text) > len(time.DateOnly) && plainDate.MatchString(text[:len(time.DateOnly)]) && clockTime.MatchString(text[len(time.DateOnly)+1:]):
		return day + text[len(time.DateOnly):len(time.DateOnly)+1] + "00:00:00"
	case plainDate.MatchString(text):
		return day
	case clockTime.MatchString(text):
		return fmt.Sprintf("%02d:%02d:00", n/60%24, n%60)
	case jsonPath.MatchString(text):
		return "$.tunic" + strconv.Itoa(n)
	}
	return "tunic" + strconv.Itoa(n)
}

// jsonPath matches what can only be meant for a path of JSON.
var jsonPath = regexp.MustCompile(`^\$(\.([A-Za-z_]\w*|\*|"[^"\\]*")|\[([0-9]+|\*)\])+$`)

var clockTime = regexp.MustCompile(`^[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?$`)

// printedEscapes are those of strings in the expressions that servers show
// (String::print in their sources).
var printedEscapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`)

// PutBack puts the literals back into a text that the server has shown.
func (h *Literals) PutBack(text string) string {
	var edits []showcreate.Edit
	for _, word := range showcreate.Tokens(text) {
		at := showcreate.Span{From: word.From, To: word.To}
		if word.Kind == showcreate.TokenString {
			at = showcreate.Span{From: word.From + strings.IndexByte(word.Of(text), '\'') + 1, To: word.To - 1}
		} else if word.Kind != showcreate.TokenWord {
			continue
		}
		if shown, ok := h.texts[text[at.From:at.To]]; ok {
			edits = append(edits, showcreate.Edit{Span: at, Text: shown})
			h.put[text[at.From:at.To]] = true
		}
	}
	return showcreate.Edited(text, edits...)
}

// Lost reports whether a literal was hidden that the server has not shown.
func (h *Literals) Lost() bool { return len(h.put) != len(h.texts) }
