package definition

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
	"tunic/internal/ddl/proxy"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// Compose makes of the server's account of a twin the table, with its layers and
// keys.
func (t *Twin) Compose(d *Definition, f *Facts, s *Surroundings) (*Logical, error) {
	l, err := t.Read(d, f, s)
	if err == nil {
		err = l.makeFamilies(d, s)
	}
	if err != nil {
		return nil, err
	}
	return l, l.Stand(d, nil, s)
}

// Stand gives a table its layers and puts its keys over them. was is the table
// before a change.
func (l *Logical) Stand(d *Definition, was *catalog.Table, s *Surroundings) (err error) {
	if err := wantLayers(d, l.Table); err != nil {
		return err
	}
	if l.Layers, err = Tie(l.Table, s.Catalog); err != nil {
		return err
	}
	if err := standKeys(l.Table, was, l.Layers); err != nil {
		return err
	}
	l.dateLayers(was, s)
	if err := l.layForeignKeys(s.Catalog); err != nil {
		return err
	}
	if !l.Protects() {
		return nil // the last protected column goes
	}
	if l.holdTo(); l.Table.Check() != nil {
		return l.Table.Check()
	}
	return computable(l.Table, s)
}

// Read makes of the server's account of a twin the table that the definition is.
// Layers and keys of it are not decided yet.
func (t *Twin) Read(d *Definition, f *Facts, s *Surroundings) (*Logical, error) {
	account, err := showcreate.Read(f.Create)
	if err != nil {
		return nil, err
	}
	l := &Logical{Shown: account, Table: &catalog.Table{Schema: d.Schema, Name: d.Table, ID: t.ID, Revision: t.Revision, Twin: t.Name}}
	l.Table.Fenced = !d.Temporary && revision.CanBeFenced(account.Options)
	if len(account.Columns) != len(f.Columns) {
		return nil, showcreate.ErrUnread
	}
	for i := range account.Columns {
		c, err := t.readColumn(d, &account.Columns[i], &f.Columns[i], s)
		if err != nil {
			return nil, err
		}
		l.Table.Columns = append(l.Table.Columns, *c)
	}
	Index(l.Table)
	t.readConstraints(d, l, s)
	if t.lost() {
		return nil, sqlerr.DefinitionForm(d.Table, "an expression that the server shows in another form")
	}
	t.putKeys(d, account)
	l.Table.Keys = keysOf(account)
	l.putBack(d)
	l.Table.Definition = l.Shown.SQL("CREATE TABLE", identifier.Quoted(d.Table))
	if d.Temporary {
		l.Table.Definition = l.Shown.SQL("CREATE TEMPORARY TABLE", identifier.Quoted(d.Table))
	}
	return l, nil
}

// Index prepares a table for lookups by name, which Check does on its way.
func Index(t *catalog.Table) { _ = t.Check() }

// readColumn makes the catalog's column, and puts its text back.
func (t *Twin) readColumn(d *Definition, shown *showcreate.Column, f *Fact, s *Surroundings) (*catalog.Column, error) {
	parts := showcreate.PartsOf(shown.Text)
	c := &catalog.Column{
		ID: s.NewID(), Name: f.Name, TypeText: f.Type, CollationName: f.Collation,
		AutoIncrement: strings.Contains(strings.ToLower(f.Extra), "auto_increment"),
		OnUpdateNow:   parts.OnUpdate, Invisible: parts.Invisible, Generated: parts.Generated,
	}
	c.Domain = c.ID
	def := d.Column(f.Name)
	var edits []showcreate.Edit
	if def != nil && def.Protected() {
		c.Protection, c.Epoch = def.Decision.Protection, s.Epoch
		label, err := t.putLabels(c, &parts)
		if err != nil {
			return nil, err
		}
		edits = append(edits, label...)
	}
	typ, err := catalog.TypesOf(s.Env.Flavor)(c.TypeText, c.CollationName, !f.Nullable)
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
		c.Default = catalog.Default{Kind: catalog.DefaultExpression, Text: t.HidingOf(c.Name).PutBack(shown.Text[parts.As.From:parts.As.To])}
		edits = append(edits, showcreate.Edit{Span: parts.As, Text: c.Default.Text})
	default:
		if err := checkLabels(t.Labels[catalog.Folded(c.Name)], c, s); err != nil {
			return nil, err
		}
		value, err := t.putDefault(c, def, &parts, shown.Text, s)
		if err != nil {
			return nil, err
		}
		edits = append(edits, value...)
	}
	if !parts.Comment.Empty() && def != nil && def.Comment() != "" {
		edits = append(edits, showcreate.Edit{Span: parts.Comment, Text: showcreate.QuoteString(def.Comment())})
	}
	if !parts.Check.Empty() {
		edits = append(edits, showcreate.Edit{Span: parts.Check, Text: t.HidingOf("").PutBack(shown.Text[parts.Check.From:parts.Check.To])})
	}
	shown.Text = showcreate.Edited(shown.Text, edits...)
	return c, nil
}

// putLabels puts the labels of a column back into its type and its text.
func (t *Twin) putLabels(c *catalog.Column, parts *showcreate.ColumnParts) ([]showcreate.Edit, error) {
	labels, ok := t.Labels[catalog.Folded(c.Name)]
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
func checkLabels(labels []string, c *catalog.Column, s *Surroundings) error {
	if labels == nil {
		return nil
	}
	utf8 := s.Literals.Charset
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
			if s.Env.Strict() {
				return &sqlerr.Error{Number: duplicated, State: "HY000", Message: text}
			}
			s.Warn(value.Note, duplicated, text)
		}
	}
	return nil
}

// readConstraints gives constraints their names, and foreign keys what they refer
// to.
func (t *Twin) readConstraints(d *Definition, l *Logical, s *Surroundings) {
	for i := range l.Shown.Checks {
		c := &l.Shown.Checks[i]
		c.Name = t.constraint(c.Name, d.Table)
		c.Text = t.HidingOf("").PutBack(c.Text)
	}
	for i := range l.Shown.ForeignKeys {
		k := &l.Shown.ForeignKeys[i]
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
		f.OnDelete, f.OnRow = actions(k.Actions, s.Env.Flavor)
		own := schema == d.Schema && table == d.Table
		f.ReferencedStored = own || s.Catalog.Table(schema, table) != nil
		l.Table.ForeignKeys = append(l.Table.ForeignKeys, f)
	}
	l.Shown.Sort(s.Env.Flavor)
}

// parent is the table whose twin a foreign key of the twin refers to.
func (t *Twin) parent(d *Definition, twin string) (schema, table string) {
	if twin == t.Name {
		return d.Schema, d.Table
	}
	p := t.Parents[twin]
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
func (t *Twin) putKeys(d *Definition, account *showcreate.Table) {
	for i := range account.Keys {
		k := &account.Keys[i]
		if given := t.constraint(k.Name, d.Table); given != k.Name {
			k.Head = strings.Replace(k.Head, identifier.Quoted(k.Name), identifier.Quoted(given), 1)
			k.Name = given
		}
		if at := showcreate.TailComment(k.Tail); !at.Empty() {
			if comment, ok := t.KeyComments[showcreate.UnquoteString(k.Tail[at.From:at.To])]; ok {
				k.Tail = showcreate.Edited(k.Tail, showcreate.Edit{Span: at, Text: showcreate.QuoteString(comment)})
			}
		}
	}
}

// putBack puts the table's own comment back.
func (l *Logical) putBack(d *Definition) {
	all, text := showcreate.OptionComment(l.Shown.Options)
	comment := ""
	for _, o := range d.Spec.Options {
		if strings.EqualFold(o.Name, "COMMENT") && o.Value != nil {
			comment = o.Value.Val
		}
	}
	switch {
	case all == (showcreate.Span{}):
	case comment == "":
		l.Shown.Options = showcreate.Edited(l.Shown.Options, showcreate.Edit{Span: all})
	default:
		l.Shown.Options = showcreate.Edited(l.Shown.Options, showcreate.Edit{Span: text, Text: showcreate.QuoteString(comment)})
	}
}
