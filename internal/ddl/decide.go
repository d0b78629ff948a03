package ddl

import (
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// definition is a table as the application defines it, with what the policy says
// of each column.
type definition struct {
	Schema, Table string
	Spec          *ast.TableSpec
	Temporary     bool
	IfNotExists   bool
	// Replaces says that a table of the name is to be dropped first.
	Replaces bool
	// Like says that it is a copy of another's, of which nothing is to be said again.
	Like bool
	// Annotated are the annotations that columns have from a definition that the catalog has:
	// nobody says them anew. They are by folded names.
	Annotated map[string]policy.Protection
	Columns   []column // parallel to those of Spec
}

// column is one column of a definition.
type column struct {
	*ast.ColumnDefinition
	decision policy.Decision
	// wanted is the policy's decision about a generated column.
	wanted policy.Decision
}

func (c *column) name() string    { return c.Name.String() }
func (c *column) protected() bool { return c.decision.Protected }

func (c *column) comment() string {
	if o := c.Type.Options; o != nil && o.Comment != nil {
		return o.Comment.Val
	}
	return ""
}

// parent is what a foreign key refers to: a protected table, or a plain one, or
// none that is known.
type parent struct {
	table *catalog.Table
	plain bool
}

// decider decides about the columns of a definition.
type decider struct {
	policy  *policy.Policy
	parents func(schema, table string) parent
	// keep is what columns have already, by folded name: they are given another
	// protection only by somebody's word.
	keep map[string]kept
	// bars says that who defines the table may not annotate columns.
	bars bool
}

// decider is one for the client's definition.
func (w *work) decider() *decider {
	return &decider{policy: w.rules(), bars: !w.session.Annotates}
}

// decide fills in the columns of d.
func (r *decider) decide(d *definition) error {
	d.Columns = make([]column, len(d.Spec.Columns))
	for i, def := range d.Spec.Columns {
		c := &d.Columns[i]
		c.ColumnDefinition = def
		if err := r.column(d, c); err != nil {
			return err
		}
	}
	if err := r.follow(d); err != nil {
		return err
	}
	return d.compute()
}

// compute protects the generated columns that are computed from protected ones: their
// values tell those. Others are the server's.
func (d *definition) compute() error {
	for again := true; again; {
		again = false
		for i := range d.Columns {
			c := &d.Columns[i]
			o := c.Type.Options
			if o == nil || o.As == nil || c.protected() || d.mentioned(o.As) == "" {
				continue
			}
			if !c.wanted.Protected {
				return sqlerr.GeneratedColumn(c.name(), "it would be plain, and is computed from a protected one")
			}
			for _, k := range foreignKeysOf(d) {
				if slices.ContainsFunc(k.columns, func(name string) bool { return strings.EqualFold(name, c.name()) }) {
					return sqlerr.GeneratedColumn(c.name(), "it is in a foreign key")
				}
			}
			c.decision, again = c.wanted, true
		}
	}
	for i := range d.Columns {
		c := &d.Columns[i]
		if o := c.Type.Options; o != nil && o.As != nil && !c.protected() && c.wanted.Protected && c.wanted.By != policy.ByDefault {
			return sqlerr.GeneratedColumn(c.name(), "it is computed from plain columns alone, so the server knows it")
		}
	}
	return nil
}

// column decides about one column by itself.
func (r *decider) column(d *definition, c *column) error {
	o := c.Type.Options
	decision, err := r.policy.Column(policy.Column{
		Schema: d.Schema, Table: d.Table, Name: c.name(), Comment: c.comment(),
		AutoIncrement: o != nil && o.Autoincrement,
	})
	k, had := r.keep[catalog.Folded(c.name())]
	switch {
	case had && k.settled && err != nil:
		decision = k.decision(policy.ByRule)
	case err != nil:
		return annotationError(c.name(), err)
	case r.bars && !(had && k.settled) && d.annotatesAnew(c):
		return sqlerr.AnnotationAccount(c.name())
	case had && (k.settled || decision.By == policy.ByDefault):
		decision = k.decision(decision.By)
	}
	if o != nil && o.As != nil {
		c.wanted, decision = decision, policy.Decision{By: policy.ByServer}
	}
	c.decision = decision
	return nil
}

// follow makes plain what refers to a plain column by a foreign key and is
// protected by nobody's word but the default's: the server can compare the two
// only if it sees both. Columns may refer to each other in the same table.
func (r *decider) follow(d *definition) error {
	keys := foreignKeysOf(d)
	for again := true; again; {
		again = false
		for _, k := range keys {
			changed, err := r.followKey(d, &k)
			if err != nil {
				return err
			}
			again = again || changed
		}
	}
	return nil
}

func (r *decider) followKey(d *definition, k *reference) (changed bool, err error) {
	for i, name := range k.columns {
		c := d.column(name)
		if c == nil {
			continue // the server will say so
		}
		if err := r.settledForm(d, k, i); err != nil {
			return false, err
		}
		protected, known := r.referenced(d, k, i)
		switch {
		case !known || protected == c.protected():
		case protected:
			return false, sqlerr.ForeignKeyPlain(c.name())
		case c.decision.By == policy.ByDefault:
			c.decision = policy.Decision{By: policy.ByServer}
			changed = true
		default:
			return false, sqlerr.ForeignKeyProtected(c.name())
		}
	}
	return changed, nil
}

// referenced says whether the i-th column that a key refers to is protected.
func (r *decider) referenced(d *definition, k *reference, i int) (protected, known bool) {
	if k.own(d) {
		if i >= len(k.referenced) {
			return false, false
		}
		c := d.column(k.referenced[i])
		return c != nil && c.protected(), c != nil
	}
	p := r.parents(k.schema, k.table)
	if p.table == nil {
		return false, p.plain
	}
	name := k.referencedName(p.table, i)
	at := p.table.Column(name)
	return at >= 0 && p.table.Columns[at].Protected(), at >= 0
}

// settledForm refuses to refer to a column that is about to become a protected or a plain one:
// the key would stay with the form that goes, and be no key of what clients see.
func (r *decider) settledForm(d *definition, k *reference, i int) error {
	if k.own(d) {
		return nil
	}
	p := r.parents(k.schema, k.table)
	if p.table == nil {
		return nil
	}
	switch at := p.table.Column(k.referencedName(p.table, i)); {
	case at < 0:
		return nil
	case p.table.Copy(at) >= 0:
		return sqlerr.DefinitionForm(p.table.Name, "a foreign key to a column that is being encrypted")
	case p.table.Columns[at].Layer(catalog.PlainForm) != nil:
		return sqlerr.DefinitionForm(p.table.Name, "a foreign key to a column that is being decrypted")
	}
	return nil
}

// reference is a foreign key of a definition.
type reference struct {
	columns       []string
	schema, table string
	referenced    []string // may be none: the primary key
	definition    *ast.ReferenceDefinition
}

// foreignKeysOf are the foreign keys of a definition, those that a column declares
// by itself included.
func foreignKeysOf(d *definition) []reference {
	var keys []reference
	add := func(columns []string, def *ast.ReferenceDefinition) {
		k := reference{columns: columns, definition: def, table: def.ReferencedTable.Name.String(), schema: def.ReferencedTable.Qualifier.String()}
		if k.schema == "" {
			k.schema = d.Schema
		}
		for _, name := range def.ReferencedColumns {
			k.referenced = append(k.referenced, name.String())
		}
		keys = append(keys, k)
	}
	for _, c := range d.Spec.Columns {
		if o := c.Type.Options; o != nil && o.Reference != nil {
			add([]string{c.Name.String()}, o.Reference)
		}
	}
	for _, c := range d.Spec.Constraints {
		if k, ok := c.Details.(*ast.ForeignKeyDefinition); ok {
			var columns []string
			for _, name := range k.Source {
				columns = append(columns, name.String())
			}
			add(columns, k.ReferenceDefinition)
		}
	}
	return keys
}

func (k *reference) own(d *definition) bool {
	return strings.EqualFold(k.schema, d.Schema) && strings.EqualFold(k.table, d.Table)
}

// referencedName is the name of the i-th column that the key refers to.
func (k *reference) referencedName(t *catalog.Table, i int) string {
	if len(k.referenced) > 0 {
		return at(k.referenced, i)
	}
	for j := range t.Keys {
		if t.Keys[j].Kind == catalog.Primary && i < len(t.Keys[j].Parts) {
			return t.Keys[j].Parts[i].Column
		}
	}
	return ""
}

func at(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return ""
}

// column finds a column; nil if there is none of the name.
func (d *definition) column(name string) *column {
	for i := range d.Columns {
		if strings.EqualFold(d.Columns[i].name(), name) {
			return &d.Columns[i]
		}
	}
	return nil
}

// protects says whether any column is protected.
func (d *definition) protects() bool {
	for i := range d.Columns {
		if d.Columns[i].protected() {
			return true
		}
	}
	return false
}

// annotationError is the refusal of a column that the policy cannot decide about.
func annotationError(column string, err error) error {
	switch {
	case errors.Is(err, policy.ErrWeaker):
		return sqlerr.Annotation(column, "it allows more than the rule for the column does")
	case errors.Is(err, policy.ErrAutoIncrement):
		return sqlerr.Annotation(column, "the server makes the values of an AUTO_INCREMENT column, so it stays plain")
	case errors.Is(err, policy.ErrWord), errors.Is(err, policy.ErrEmpty):
		return sqlerr.Annotation(column, "its words are plain, sealed, equality and order")
	case errors.Is(err, policy.ErrTwice):
		return sqlerr.Annotation(column, "it says the same thing twice")
	case errors.Is(err, policy.ErrAlone):
		return sqlerr.Annotation(column, "plain and sealed stand alone")
	case errors.Is(err, policy.ErrGrain), errors.Is(err, policy.ErrNotOrder), errors.Is(err, policy.ErrRedundant):
		return sqlerr.Annotation(column, "only order takes a grain: a unit of time, a number, or prefix and a number")
	}
	return sqlerr.Annotation(column, "it is tunic: and its words, at the beginning of the comment or behind a semicolon")
}
