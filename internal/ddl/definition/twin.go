package definition

import (
	"fmt"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/proxy"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// NeutralOf is neutral for a column whose labels are known by their proxies.
func (t *Twin) NeutralOf(c *Column, def ast.Expr) ast.Expr {
	typ := *c.Type
	if labels, ok := t.Labels[catalog.Folded(c.NameText())]; ok {
		typ.EnumValues = nil
		for _, l := range proxy.Labels(labels) {
			typ.EnumValues = append(typ.EnumValues, showcreate.QuoteString(l))
		}
	}
	return neutral(&typ, def)
}

// Twin is the statement that makes the twin of a definition, and what stands in it
// by proxy.
type Twin struct {
	ID       catalog.ID // of the table
	Revision uint64
	Name     string // in tunic's schema
	Text     string
	// names of constraints in the twin, and what they are in the definition: those
	// of CHECKs and foreign keys belong to a schema.
	Constraints map[string]string
	Labels      map[string][]string        // of protected columns, by folded name
	KeyComments map[string]string          // by what stands for them
	Parents     map[string][2]string       // schema and table by the name of the twin
	hidden      map[string]*proxy.Literals // literals of expressions, by folded name of the column
}

// proxies of what is in a definition.
const (
	proxyComment = "c"
	// Longer comments are errors, which the server is to find.
	columnCommentMax = 1024
	tableCommentMax  = 2048
)

// TwinPrefix begins the name of each twin.
const TwinPrefix = "t_"

// TwinName is the name of a table's twin, of a revision.
func TwinName(id catalog.ID, revision uint64) string {
	if revision <= 1 {
		return TwinPrefix + id.String()
	}
	return TwinPrefix + id.String() + "_" + strconv.FormatUint(revision, 10)
}

// QuotedTwin is the name of a twin as statements write it.
func QuotedTwin(twin string) string {
	return identifier.Quoted(catalog.Schema) + "." + identifier.Quoted(twin)
}

// NewTwin is the twin of a table in a revision, of which nothing is hidden yet.
func NewTwin(id catalog.ID, revision uint64) *Twin {
	return &Twin{
		ID: id, Revision: revision, Name: TwinName(id, revision), Constraints: map[string]string{},
		Labels: map[string][]string{}, KeyComments: map[string]string{}, Parents: map[string][2]string{}, hidden: map[string]*proxy.Literals{},
	}
}

// SchemaDefaults are what a definition takes from the schema that it is for.
type SchemaDefaults struct{ Charset, Collation string }

// Define writes the statement that makes the twin of a definition. known has the
// protected tables that foreign keys may refer to.
func (t *Twin) Define(d *Definition, from SchemaDefaults, flavor value.Flavor, known *catalog.Catalog) error {
	spec := ast.Clone(d.Spec)
	for i, def := range spec.Columns {
		if d.Columns[i].Protected() {
			t.Column(def)
		} else {
			t.Unread(d, def)
		}
		HideComment(def)
	}
	for i, k := range spec.Indexes {
		t.HideKeyComment(i, k)
	}
	spec.Options = t.options(spec.Options, from)
	t.constraintsOf(d, spec, known)
	root := &ast.CreateTable{Table: ast.TableName{Qualifier: ast.Name(catalog.Schema), Name: ast.Name(t.Name)}, TableSpec: spec, FullyParsed: true}
	printed, err := sql.NewTree(root, nil).Print(ModesOf(flavor))
	if err != nil {
		return sqlerr.DefinitionForm(d.Table, "a part of this definition")
	}
	t.Text = InColumns(printed.String())
	return nil
}

// ModesOf are the modes that texts of tunic's own are written for.
func ModesOf(flavor value.Flavor) sql.Modes {
	if flavor == value.MariaDB {
		return sql.MariaDB
	}
	return 0
}

// Column hides what a protected column's definition gives away.
func (t *Twin) Column(def *ast.ColumnDefinition) {
	typ := def.Type
	if len(typ.EnumValues) > 0 {
		labels := make([]string, len(typ.EnumValues))
		for i, l := range typ.EnumValues {
			labels[i] = showcreate.UnquoteString(l)
		}
		proxies := proxy.Labels(labels)
		t.Labels[strings.ToLower(def.Name.String())] = labels
		for i := range proxies {
			typ.EnumValues[i] = showcreate.QuoteString(proxies[i])
		}
	}
	switch o := typ.Options; {
	case o == nil:
	case o.As != nil:
		t.HidingOf(def.Name.String()).Hide(o.As)
	case o.Default != nil && !o.DefaultLiteral:
		t.HidingOf(def.Name.String()).HideDefault(o.Default)
	case o.Default != nil:
		o.Default = neutral(typ, o.Default)
	}
}

// Unread hides what a plain column's definition says of columns that there are none of:
// the name may be that of a protected one, written wrong.
func (t *Twin) Unread(d *Definition, def *ast.ColumnDefinition) {
	switch o := def.Type.Options; {
	case o == nil:
	case o.As != nil && !d.plainOnly(o.As):
		t.HidingOf(def.Name.String()).Hide(o.As)
	case o.Default != nil && !o.DefaultLiteral && !d.plainOnly(o.Default):
		t.HidingOf(def.Name.String()).Hide(o.Default)
	}
}

// neutral is a default that says nothing, where the definition has a constant. NULL
// and CURRENT_TIMESTAMP say nothing themselves.
func neutral(typ *ast.ColumnType, def ast.Expr) ast.Expr {
	switch def.(type) {
	case *ast.NullVal, *ast.CurTimeFuncExpr:
		return def
	}
	str := func(s string) ast.Expr { return &ast.Literal{Type: ast.StrVal, Val: s} }
	switch strings.ToUpper(typ.Type) {
	case "DATE":
		return str("2000-01-01")
	case "DATETIME", "TIMESTAMP":
		return str("2000-01-01 00:00:00")
	case "TIME":
		return str("00:00:00")
	case "ENUM":
		return str(showcreate.UnquoteString(typ.EnumValues[0]))
	case "BIT", "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "INTEGER", "BIGINT", "BOOL", "BOOLEAN", "YEAR",
		"DECIMAL", "NUMERIC", "FLOAT", "DOUBLE", "REAL", "FLOAT4", "FLOAT8":
		return &ast.Literal{Type: ast.IntVal, Val: "0"}
	case "JSON":
		return str("{}")
	}
	return str("")
}

// HideComment leaves of a comment that it is there. One that is too long is
// replaced by one as long, which is the server's error to tell.
func HideComment(def *ast.ColumnDefinition) {
	o := def.Type.Options
	if o != nil && o.Comment != nil && o.Comment.Val != "" {
		o.Comment = hidden(o.Comment, columnCommentMax)
	}
}

// HideKeyComment replaces the comment of the i-th key.
func (t *Twin) HideKeyComment(i int, k *ast.IndexDefinition) {
	for j, o := range k.Options {
		if strings.EqualFold(o.Name, "COMMENT") && o.Value != nil && o.Value.Val != "" {
			proxy := proxyComment + strconv.Itoa(i)
			t.KeyComments[proxy] = o.Value.Val
			k.Options[j] = &ast.IndexOption{Name: o.Name, Value: &ast.Literal{Type: ast.StrVal, Val: proxy}}
		}
	}
}

func hidden(comment *ast.Literal, bytesMax int) *ast.Literal {
	n := 1
	if chars := len([]rune(comment.Val)); chars > bytesMax {
		n = chars
	}
	return &ast.Literal{Type: ast.StrVal, Val: strings.Repeat(proxyComment, n)}
}

// options are a definition's, with its comment hidden, without the counter, and
// with the schema's character set where it names none.
func (t *Twin) options(options ast.TableOptions, from SchemaDefaults) ast.TableOptions {
	out := make(ast.TableOptions, 0, len(options)+2)
	named, commented := false, false
	for _, o := range options {
		switch strings.ToUpper(o.Name) {
		case "CHARSET", "CHARACTER SET", "COLLATE":
			named = true
		case "COMMENT":
			if o.Value == nil || o.Value.Val == "" {
				continue
			}
			commented = true
			o = &ast.TableOption{Name: o.Name, Value: hidden(o.Value, tableCommentMax)}
		case "AUTO_INCREMENT":
			continue
		}
		out = append(out, o)
	}
	if !commented {
		out = append(out, &ast.TableOption{Name: "COMMENT", Value: &ast.Literal{Type: ast.StrVal, Val: proxyComment}})
	}
	if !named && from.Charset != "" {
		out = append(out,
			&ast.TableOption{Name: "CHARSET", String: from.Charset, CaseSensitive: true},
			&ast.TableOption{Name: "COLLATE", String: from.Collation, CaseSensitive: true})
	}
	return out
}

// constraintsOf renames what has a name in its schema, and lets foreign keys refer
// to twins.
func (t *Twin) constraintsOf(d *Definition, spec *ast.TableSpec, known *catalog.Catalog) {
	for i, c := range spec.Constraints {
		name := c.Name.String()
		if _, inColumn := sql.ColumnOfCheck(name); name != "" && !inColumn {
			own := fmt.Sprintf("%s_n%d", t.Name, i)
			t.Constraints[own] = name
			c.Name = ast.Identifier(own)
		}
		if k, ok := c.Details.(*ast.ForeignKeyDefinition); ok {
			t.Refer(d, k.ReferenceDefinition, known)
		}
		t.HideCheck(d, c)
	}
	for _, c := range spec.Columns {
		if o := c.Type.Options; o != nil && o.Reference != nil {
			t.Refer(d, o.Reference, known)
		}
	}
}

// HideCheck hides the literals of a CHECK that the stored table will not have.
func (t *Twin) HideCheck(d *Definition, c *ast.ConstraintDefinition) {
	check, ok := c.Details.(*ast.CheckConstraintDefinition)
	if ok && !d.plainOnly(check.Expr) && !d.holds(check.Expr) {
		t.HidingOf("").Hide(check.Expr)
	}
}

// plainOnly reports whether every name in an expression is that of a plain column.
func (d *Definition) plainOnly(e ast.Expr) bool {
	only := true
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			c := d.Column(name.Name.String())
			only = only && c != nil && !c.Protected()
		}
		return only, nil
	}, e)
	return only
}

// Refer has a foreign key of the twin refer to a twin, and remembers whose that is.
func (t *Twin) Refer(d *Definition, r *ast.ReferenceDefinition, known *catalog.Catalog) {
	schema, table := r.ReferencedTable.Qualifier.String(), r.ReferencedTable.Name.String()
	if schema == "" {
		schema = d.Schema
	}
	r.ReferencedTable = ast.TableName{Qualifier: ast.Name(schema), Name: ast.Name(table)}
	if strings.EqualFold(schema, d.Schema) && strings.EqualFold(table, d.Table) {
		r.ReferencedTable = ast.TableName{Name: ast.Name(t.Name)}
	} else if p := known.Table(schema, table); p != nil {
		t.Parents[p.Twin] = [2]string{p.Schema, p.Name}
		r.ReferencedTable = ast.TableName{Name: ast.Name(p.Twin)}
	}
}

// constraint is the name in the definition of a constraint of the twin: one that
// was given, or one that the server has made of the table's name.
func (t *Twin) constraint(name, table string) string {
	if given, ok := t.Constraints[name]; ok {
		return given
	}
	if rest, ok := strings.CutPrefix(name, t.Name); ok {
		return table + rest
	}
	return name
}

// HidingOf is the hiding of a column, "" for the CHECKs.
func (t *Twin) HidingOf(column string) *proxy.Literals {
	key := strings.ToLower(column)
	if t.hidden[key] == nil {
		t.hidden[key] = proxy.NewLiterals()
	}
	return t.hidden[key]
}

// lost reports whether a literal was hidden that the server has not shown.
func (t *Twin) lost() bool {
	for _, h := range t.hidden {
		if h.Lost() {
			return true
		}
	}
	return false
}
