package definition

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// InvalidDefault is the server's number for a DEFAULT that does not fit its column.
const InvalidDefault = 1067

// plainDefault is what the catalog says of a plain column's default: the server
// gives it.
func plainDefault(parts *showcreate.ColumnParts, text string, f *Fact) catalog.Default {
	switch {
	case isNow(text[parts.Value.From:parts.Value.To]):
		return catalog.Default{Kind: catalog.DefaultNow, Fraction: fractionOf(text[parts.Value.From:parts.Value.To])}
	case f.Default != nil && !strings.EqualFold(*f.Default, "NULL"), parts.Generated:
		return catalog.Default{Kind: catalog.DefaultServer}
	case f.Nullable:
		return catalog.Default{Kind: catalog.DefaultNull}
	}
	return catalog.Default{}
}

// putDefault finds the default of a protected column, and puts its text back.
func (t *Twin) putDefault(c *catalog.Column, def *Column, parts *showcreate.ColumnParts, text string, s *Surroundings) ([]showcreate.Edit, error) {
	shown := text[parts.Value.From:parts.Value.To]
	var given ast.Expr
	if o := def.Type.Options; o != nil {
		given = o.Default
	}
	switch {
	case isNow(shown):
		c.Default = catalog.Default{Kind: catalog.DefaultNow, Fraction: fractionOf(shown)}
		return nil, nil
	case parts.Value.Empty() || strings.EqualFold(shown, "NULL") || given == nil:
		if !c.Type.NotNull && !(parts.Value.Empty() && showsNull(c, s.Env.Flavor)) {
			c.Default.Kind = catalog.DefaultNull
		}
		return nil, givenNothing(given, c)
	case !def.Type.Options.DefaultLiteral:
		c.Default = catalog.Default{Kind: catalog.DefaultExpression, Text: t.HidingOf(c.Name).PutBack(shown)}
		return []showcreate.Edit{{Span: parts.Value, Text: c.Default.Text}}, nil
	}
	canonical, err := canonicalDefault(c, given, s)
	if err != nil {
		return nil, err
	}
	c.Default = catalog.Default{Kind: catalog.DefaultValue, Canonical: canonical}
	printed, ok := printDefault(c, shown, s)
	if !ok {
		return nil, sqlerr.ColumnType(c.Name, "its default cannot be shown as the server would")
	}
	return []showcreate.Edit{{Span: parts.Value, Text: printed}}, nil
}

// givenNothing makes sure that a default that was written has not got lost.
func givenNothing(given ast.Expr, c *catalog.Column) error {
	if _, null := given.(*ast.NullVal); given == nil || null {
		return nil
	}
	return sqlerr.ColumnType(c.Name, "the server does not show its default")
}

// showsNull reports whether a server shows DEFAULT NULL of a column that may be NULL and has no other
// default. MySQL does but for types that can have no literal as a default: one of which it shows none
// has to be given a value, as after ALTER COLUMN … DROP DEFAULT.
func showsNull(c *catalog.Column, flavor value.Flavor) bool {
	switch k := c.Type.Kind; k {
	case value.Char, value.VarChar, value.Binary, value.VarBinary, value.Enum, value.Set:
		return flavor == value.MySQL
	default:
		return flavor == value.MySQL && (k.IsNumber() || k.IsTemporal())
	}
}

// canonicalDefault is the value of a constant. What the server would not store
// without a warning is no default to it.
func canonicalDefault(c *catalog.Column, given ast.Expr, s *Surroundings) ([]byte, error) {
	source, ok := sourceOf(given, s.Env.Flavor, s.Literals)
	if !ok {
		return nil, sqlerr.DefaultExpression(c.Name, "it has a literal of a form that tunic does not read")
	}
	env := *s.Env
	env.Ignore, env.NullFails = false, true
	canonical, o := value.Assign(nil, &c.Type, &source, &env)
	for _, cond := range o.Conditions() {
		if cond.Code == value.Unanswerable {
			return nil, sqlerr.ColumnType(c.Name, "its default is a value that this version cannot judge")
		}
		if cond.Level != value.Note {
			return nil, &sqlerr.Error{Number: InvalidDefault, State: "42000", Message: "Invalid default value for '" + c.Name + "'"}
		}
		s.Warn(value.Note, uint16(cond.Code), noteOf(cond, &env, c.Name))
	}
	if o.Null {
		return nil, sqlerr.ColumnType(c.Name, "its default is NULL in another form")
	}
	return canonical, nil
}

// noteOf is the text of a note about a default. MariaDB counts no row.
func noteOf(c value.Condition, env *value.Env, column string) string {
	row := 1
	if env.Flavor == value.MariaDB {
		row = 0
	}
	return string(c.AppendMessage(nil, env, value.Column{Name: column}, row))
}

// printDefault writes a default in the form in which the server has shown the
// neutral one: quoted, bare, or as bits.
func printDefault(c *catalog.Column, shown string, s *Surroundings) (text string, ok bool) {
	env := *s.Env
	env.Mode &^= value.PadCharToFullLength
	raw := value.AppendText(nil, &c.Type, c.Default.Canonical, &env)
	switch {
	case c.Type.Kind == value.Bit:
		return "b'" + bits(c.Default.Canonical) + "'", true
	case shown[0] != '\'' && !strings.HasPrefix(shown, "0x"):
		return string(raw), true
	case c.Type.Kind.IsBytes():
		return printBytes(raw, s.Env.Flavor)
	case c.Type.Collation != nil && c.Type.Kind.IsText():
		plain, bad := charset.Convert(nil, s.Literals.Charset, c.Type.Collation.Charset, raw)
		return showcreate.QuoteString(string(plain)), bad < 0 || bad >= len(raw)
	}
	return showcreate.QuoteString(string(raw)), true
}

// printBytes writes bytes: as a string where they are one in UTF-8, which is all
// that MariaDB does.
func printBytes(raw []byte, flavor value.Flavor) (text string, ok bool) {
	switch {
	case utf8.Valid(raw):
		return showcreate.QuoteString(string(raw)), true
	case flavor == value.MariaDB:
		return "", false
	}
	return "0x" + strings.ToUpper(hexOf(raw)), true
}

func hexOf(b []byte) string {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 2*len(b))
	for _, c := range b {
		out = append(out, digits[c>>4], digits[c&15])
	}
	return string(out)
}

// bits are the binary digits of a number, without zeros in front.
func bits(canonical []byte) string {
	var n uint64
	for _, b := range canonical {
		n = n<<8 | uint64(b)
	}
	return strconv.FormatUint(n, 2)
}

// isNow says that a default is CURRENT_TIMESTAMP, in whatever form.
func isNow(text string) bool {
	const word = "current_timestamp"
	return len(text) >= len(word) && strings.EqualFold(text[:len(word)], word)
}

// BareDefaults takes constants and the time out of the parentheses of DEFAULT (…):
// MariaDB makes nothing else of them with than without. To MySQL they are expressions.
func BareDefaults(stmt ast.Statement) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColumnDefinition:
			if o := n.Type.Options; o != nil && isBare(o.Default) {
				o.DefaultLiteral = true
			}
		case *ast.AlterColumn:
			n.DefaultLiteral = n.DefaultLiteral || isBare(n.DefaultVal)
		}
		return true, nil
	}, stmt)
}

// isBare says that a default is written alike within parentheses and without.
func isBare(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.NullVal, ast.BoolVal, *ast.Literal:
		return true
	case *ast.UnaryExpr:
		_, number := e.Expr.(*ast.Literal)
		return number && (e.Operator == ast.UMinusOp || e.Operator == ast.UPlusOp)
	case *ast.CurTimeFuncExpr:
		name := e.Name.Lowered()
		return name == "now" || name == "current_timestamp" || name == "localtime" || name == "localtimestamp"
	}
	return false
}

// fractionOf is the 6 of CURRENT_TIMESTAMP(6).
func fractionOf(text string) int {
	for _, c := range text {
		if c >= '0' && c <= '9' {
			return int(c - '0')
		}
	}
	return 0
}

// KnowsImplicit reports whether rows get the implicit default in a new column that is NOT NULL and has no default, whatever
// the session's sql_mode is.
func KnowsImplicit(c *catalog.Column) bool {
	k := c.Type.Kind
	return k.IsInteger() || k == value.Decimal || k == value.Float || k == value.Double || k == value.Bit || k == value.Year ||
		k.IsText() && !c.ValidJSON || k.IsBytes() || k == value.Enum || k == value.Set
}
