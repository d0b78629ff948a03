package ddl

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
	"tunic/internal/ddl/proxy"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// facts are what the server says of a twin.
type facts struct {
	Create  string // SHOW CREATE TABLE
	Columns []fact
}

// fact is a row of information_schema.COLUMNS.
type fact struct {
	Name, Type, Collation string
	Nullable              bool
	Default               *string
	Extra                 string
}

// surroundings are what a definition's meaning depends on beside its text.
type surroundings struct {
	env *value.Env
	// literals is the collation of text in the definition, in UTF-8.
	literals *charset.Collation
	catalog  *catalog.Catalog
	epoch    uint16 // of what is new
	newID    func() catalog.ID
	warn     func(level value.Level, number uint16, message string)
}

// logical is a table as the server has accounted for it.
type logical struct {
	table *catalog.Table
	// shown is the account with everything put back that stood by proxy, but for
	// the comments of plain columns and keys, which are in both.
	shown *showcreate.Table
	// layers are those that columns of foreign keys are compared by.
	layers map[string]policy.Capabilities
}

// read makes of the server's account of a twin the table that the definition is.
// Layers and keys of it are not decided yet.
func (t *twin) read(d *definition, f *facts, s *surroundings) (*logical, error) {
	account, err := showcreate.Read(f.Create)
	if err != nil {
		return nil, err
	}
	l := &logical{shown: account, table: &catalog.Table{Schema: d.Schema, Name: d.Table, ID: t.ID, Revision: t.Revision, Twin: t.Name}}
	l.table.Fenced = !d.Temporary && revision.CanBeFenced(account.Options)
	if len(account.Columns) != len(f.Columns) {
		return nil, showcreate.ErrUnread
	}
	for i := range account.Columns {
		c, err := t.readColumn(d, &account.Columns[i], &f.Columns[i], s)
		if err != nil {
			return nil, err
		}
		l.table.Columns = append(l.table.Columns, *c)
	}
	catalogIndex(l.table)
	t.readConstraints(d, l, s)
	if t.lost() {
		return nil, sqlerr.DefinitionForm(d.Table, "an expression that the server shows in another form")
	}
	t.putKeys(d, account)
	l.table.Keys = keysOf(account)
	l.putBack(d)
	l.table.Definition = l.shown.SQL("CREATE TABLE", catalog.Quoted(d.Table))
	if d.Temporary {
		l.table.Definition = l.shown.SQL("CREATE TEMPORARY TABLE", catalog.Quoted(d.Table))
	}
	return l, nil
}

// catalogIndex prepares a table for lookups by name, which Check does on its way.
func catalogIndex(t *catalog.Table) { _ = t.Check() }

// readColumn makes the catalog's column, and puts its text back.
func (t *twin) readColumn(d *definition, shown *showcreate.Column, f *fact, s *surroundings) (*catalog.Column, error) {
	parts := showcreate.PartsOf(shown.Text)
	c := &catalog.Column{
		ID: s.newID(), Name: f.Name, TypeText: f.Type, CollationName: f.Collation,
		AutoIncrement: strings.Contains(strings.ToLower(f.Extra), "auto_increment"),
		OnUpdateNow:   parts.OnUpdate, Invisible: parts.Invisible, Generated: parts.Generated,
	}
	c.Domain = c.ID
	def := d.column(f.Name)
	var edits []showcreate.Edit
	if def != nil && def.protected() {
		c.Protection, c.Epoch = def.decision.Protection, s.epoch
		label, err := t.putLabels(c, &parts)
		if err != nil {
			return nil, err
		}
		edits = append(edits, label...)
	}
	typ, err := catalog.TypesOf(s.env.Flavor)(c.TypeText, c.CollationName, !f.Nullable)
	if err != nil {
		return nil, sqlerr.ColumnType(c.Name, "its type or collation is not known to this version")
	}
	c.Type = typ
	if parts.Check != (showcreate.Span{}) && c.Protected() {
		c.ValidJSON = strings.HasPrefix(account.ClauseOf(shown.Text[parts.Check.From:parts.Check.To]), "json_valid(")
	}
	switch {
	case !c.Protected():
		c.Default = plainDefault(&parts, shown.Text, f)
	case c.Generated:
		c.Default = catalog.Default{Kind: catalog.DefaultExpression, Text: t.hidingOf(c.Name).PutBack(shown.Text[parts.As.From:parts.As.To])}
		edits = append(edits, showcreate.Edit{Span: parts.As, Text: c.Default.Text})
	default:
		if err := checkLabels(t.labels[catalog.Folded(c.Name)], c, s); err != nil {
			return nil, err
		}
		value, err := t.putDefault(c, def, &parts, shown.Text, s)
		if err != nil {
			return nil, err
		}
		edits = append(edits, value...)
	}
	if !parts.Comment.Empty() && def != nil && def.comment() != "" {
		edits = append(edits, showcreate.Edit{Span: parts.Comment, Text: showcreate.QuoteString(def.comment())})
	}
	if !parts.Check.Empty() {
		edits = append(edits, showcreate.Edit{Span: parts.Check, Text: t.hidingOf("").PutBack(shown.Text[parts.Check.From:parts.Check.To])})
	}
	shown.Text = showcreate.Edited(shown.Text, edits...)
	return c, nil
}

// putLabels puts the labels of a column back into its type and its text.
func (t *twin) putLabels(c *catalog.Column, parts *showcreate.ColumnParts) ([]showcreate.Edit, error) {
	labels, ok := t.labels[catalog.Folded(c.Name)]
	if !ok {
		return nil, nil
	}
	name, given, _ := strings.Cut(c.TypeText, "(")
	if given != proxy.QuoteLabels(proxy.Labels(labels))+")" {
		return nil, sqlerr.ColumnType(c.Name, "it has more short labels than can be hidden in its character set")
	}
	c.TypeText = name + "(" + proxy.QuoteLabels(labels) + ")"
	return []showcreate.Edit{{Span: parts.Labels, Text: proxy.QuoteLabels(labels)}}, nil
}

// checkLabels looks at what the server could not: that the labels are in the
// column's character set and are read as they are written, and that no two are
// equal.
func checkLabels(labels []string, c *catalog.Column, s *surroundings) error {
	if labels == nil {
		return nil
	}
	utf8 := s.literals.Charset
	for i, label := range labels {
		label = strings.TrimRight(label, " ")
		own, bad := charset.Convert(nil, c.Type.Collation.Charset, utf8, []byte(label))
		if bad >= 0 && bad < len(label) || string(own) != label || string(c.Type.Labels[i]) != label {
			return sqlerr.ColumnType(c.Name, "its labels are not the same bytes in its character set as in UTF-8")
		}
		if c.Type.Kind == value.Set && strings.Contains(label, ",") {
			return &sqlerr.Error{Number: 1367, State: "22007", Message: "Illegal set value found during parsing of column '" + c.Name + "'"}
		}
	}
	if exact, _ := c.Type.Collation.Exact(); !exact {
		return nil
	}
	for i := range labels {
		for j := range i {
			if c.Type.Collation.Compare(c.Type.Labels[i], c.Type.Labels[j]) != 0 {
				continue
			}
			const duplicated = 1291
			text := "Column '" + c.Name + "' has a duplicated value in " + strings.ToUpper(c.Type.Kind.String())
			if s.env.Strict() {
				return &sqlerr.Error{Number: duplicated, State: "HY000", Message: text}
			}
			s.warn(value.Note, duplicated, text)
		}
	}
	return nil
}

// readConstraints gives constraints their names, and foreign keys what they refer
// to.
func (t *twin) readConstraints(d *definition, l *logical, s *surroundings) {
	for i := range l.shown.Checks {
		c := &l.shown.Checks[i]
		c.Name = t.constraint(c.Name, d.Table)
		c.Text = t.hidingOf("").PutBack(c.Text)
	}
	for i := range l.shown.ForeignKeys {
		k := &l.shown.ForeignKeys[i]
		k.Name = t.constraint(k.Name, d.Table)
		schema, table := k.Schema, k.Table
		if schema == "" {
			schema, table = t.parent(d, k.Table)
		}
		k.Schema, k.Table = schema, table
		if schema == d.Schema {
			k.Schema = ""
		}
		f := catalog.ForeignKey{Name: k.Name, Columns: k.Columns, Schema: schema, Table: table, Referenced: k.Referenced}
		f.OnDelete, f.OnRow = actions(k.Actions, s.env.Flavor)
		own := schema == d.Schema && table == d.Table
		f.ReferencedStored = own || s.catalog.Table(schema, table) != nil
		l.table.ForeignKeys = append(l.table.ForeignKeys, f)
	}
	l.shown.Sort(s.env.Flavor)
}

// parent is the table whose twin a foreign key of the twin refers to.
func (t *twin) parent(d *definition, twin string) (schema, table string) {
	if twin == t.Name {
		return d.Schema, d.Table
	}
	p := t.parents[twin]
	return p[0], p[1]
}

// actions are what a foreign key does when its referenced row goes or changes.
func actions(text string, flavor value.Flavor) (onDelete, onUpdate string) {
	onDelete, onUpdate = "NO ACTION", "NO ACTION"
	if flavor == value.MariaDB {
		onDelete, onUpdate = "RESTRICT", "RESTRICT"
	}
	for _, action := range []string{"RESTRICT", "CASCADE", "SET NULL", "NO ACTION", "SET DEFAULT"} {
		if strings.Contains(text, "ON DELETE "+action) {
			onDelete = action
		}
		if strings.Contains(text, "ON UPDATE "+action) {
			onUpdate = action
		}
	}
	return onDelete, onUpdate
}

// keysOf are the keys of an account.
func keysOf(account *showcreate.Table) []catalog.Key {
	kinds := map[string]catalog.KeyKind{"PRIMARY": catalog.Primary, "UNIQUE": catalog.Unique, "FULLTEXT": catalog.Fulltext, "SPATIAL": catalog.Spatial}
	keys := make([]catalog.Key, len(account.Keys))
	for i := range account.Keys {
		k := &account.Keys[i]
		keys[i] = catalog.Key{Name: k.Name, Kind: kinds[k.Kind]}
		for _, t := range showcreate.Tokens(k.Tail) {
			keys[i].Hidden = keys[i].Hidden || t.Is(k.Tail, "INVISIBLE", "IGNORED")
		}
		for _, p := range k.Parts {
			keys[i].Parts = append(keys[i].Parts, catalog.Part{Column: p.Name, Prefix: number(p.Prefix), Desc: p.Desc})
		}
	}
	return keys
}

func number(digits string) (n int) {
	for _, c := range digits {
		n = 10*n + int(c-'0')
	}
	return n
}

// putKeys puts the comments of keys back, and the names that the server has taken
// from constraints.
func (t *twin) putKeys(d *definition, account *showcreate.Table) {
	for i := range account.Keys {
		k := &account.Keys[i]
		if given := t.constraint(k.Name, d.Table); given != k.Name {
			k.Head = strings.Replace(k.Head, catalog.Quoted(k.Name), catalog.Quoted(given), 1)
			k.Name = given
		}
		if at := showcreate.TailComment(k.Tail); !at.Empty() {
			if comment, ok := t.keyComments[showcreate.UnquoteString(k.Tail[at.From:at.To])]; ok {
				k.Tail = showcreate.Edited(k.Tail, showcreate.Edit{Span: at, Text: showcreate.QuoteString(comment)})
			}
		}
	}
}

// putBack puts the table's own comment back.
func (l *logical) putBack(d *definition) {
	all, text := showcreate.OptionComment(l.shown.Options)
	comment := ""
	for _, o := range d.Spec.Options {
		if strings.EqualFold(o.Name, "COMMENT") && o.Value != nil {
			comment = o.Value.Val
		}
	}
	switch {
	case all == (showcreate.Span{}):
	case comment == "":
		l.shown.Options = showcreate.Edited(l.shown.Options, showcreate.Edit{Span: all})
	default:
		l.shown.Options = showcreate.Edited(l.shown.Options, showcreate.Edit{Span: text, Text: showcreate.QuoteString(comment)})
	}
}

// forbidNull has no sealed form take NULL where its column does not: where rows are copied, or there
// are none, it costs nothing.
func (l *logical) forbidNull() {
	for i := range l.table.Columns {
		l.table.Columns[i].Nullable = false
	}
}
