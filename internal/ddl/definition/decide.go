package definition

import (
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
)

// Parent is what a foreign key refers to: a protected table, or a plain one, or
// none that is known.
type Parent struct {
	Table *catalog.Table
	Plain bool
}

// Decider decides about the columns of a definition.
type Decider struct {
	Policy  *policy.Policy
	Parents func(schema, table string) Parent
	// Keep is what columns have already, by folded name: they are given another
	// protection only by somebody's word.
	Keep map[string]Kept
	// Bars says that who defines the table may not annotate columns.
	Bars bool
	// Chosen says which columns may be protected: others stay plain, whatever is said of them. nil is all.
	Chosen func(*Column) bool
}

// Decide fills in the columns of d.
func (r *Decider) Decide(d *Definition) error {
	d.Columns = make([]Column, len(d.Spec.Columns))
	for i, def := range d.Spec.Columns {
		c := &d.Columns[i]
		c.ColumnDefinition = def
		if err := r.Column(d, c); err != nil {
			return err
		}
	}
	if err := r.follow(d); err != nil {
		return err
	}
	if err := d.compute(); err != nil {
		return err
	}
	for i := range d.Columns {
		if c := &d.Columns[i]; r.Chosen != nil && !r.Chosen(c) {
			c.Decision = policy.Decision{By: policy.ByRule}
		}
	}
	return d.settleFamilies()
}

// compute protects the generated columns that are computed from protected ones: their
// values tell those. Others are the server's.
func (d *Definition) compute() error {
	for again := true; again; {
		again = false
		for i := range d.Columns {
			c := &d.Columns[i]
			o := c.Type.Options
			if o == nil || o.As == nil || c.Protected() || d.mentioned(o.As) == "" {
				continue
			}
			if !c.wanted.Protected {
				return sqlerr.GeneratedColumn(c.NameText(), "it would be plain, and is computed from a protected one")
			}
			for _, k := range ForeignKeysOf(d) {
				if slices.ContainsFunc(k.Columns, func(name string) bool { return strings.EqualFold(name, c.NameText()) }) {
					return sqlerr.GeneratedColumn(c.NameText(), "it is in a foreign key")
				}
			}
			c.Decision, again = c.wanted, true
		}
	}
	for i := range d.Columns {
		c := &d.Columns[i]
		if o := c.Type.Options; o != nil && o.As != nil && !c.Protected() && c.wanted.Protected && c.wanted.By != policy.ByDefault {
			return sqlerr.GeneratedColumn(c.NameText(), "it is computed from plain columns alone, so the server knows it")
		}
	}
	return nil
}

// Column decides about one column by itself.
func (r *Decider) Column(d *Definition, c *Column) error {
	o := c.Type.Options
	decision, err := r.Policy.Column(policy.Column{
		Schema: d.Schema, Table: d.Table, Name: c.NameText(), Comment: c.Comment(),
		AutoIncrement: o != nil && o.Autoincrement,
	})
	k, had := r.Keep[catalog.Folded(c.NameText())]
	membership := decision.Membership
	switch {
	case had && k.Settled && err != nil:
		decision, c.unread = k.decision(policy.ByRule), true
	case err != nil:
		return annotationError(c.NameText(), err)
	case r.Bars && !(had && k.Settled) && d.annotatesAnew(c):
		return sqlerr.AnnotationAccount(c.NameText())
	case had && (k.Settled || decision.By == policy.ByDefault):
		decision = k.decision(decision.By)
	}
	if had && k.Settled && !decision.Protected {
		membership = policy.Membership{} // it stays plain, whatever its comment says of a family
	}
	decision.Membership = membership
	if o != nil && o.As != nil {
		c.wanted, decision = decision, policy.Decision{Membership: membership, By: policy.ByServer}
	}
	c.Decision = decision
	return nil
}

// follow makes plain what refers to a plain column by a foreign key and is
// protected by nobody's word but the default's: the server can compare the two
// only if it sees both. Columns may refer to each other in the same table.
func (r *Decider) follow(d *Definition) error {
	keys := ForeignKeysOf(d)
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

func (r *Decider) followKey(d *Definition, k *Reference) (changed bool, err error) {
	for i, name := range k.Columns {
		c := d.Column(name)
		if c == nil {
			continue // the server will say so
		}
		if err := r.settledForm(d, k, i); err != nil {
			return false, err
		}
		protected, known := r.Referenced(d, k, i)
		switch {
		case !known || protected == c.Protected():
		case protected:
			return false, sqlerr.ForeignKeyPlain(c.NameText())
		case c.Decision.By == policy.ByDefault:
			c.Decision = policy.Decision{Membership: c.Decision.Membership, By: policy.ByServer}
			changed = true
		default:
			return false, sqlerr.ForeignKeyProtected(c.NameText())
		}
	}
	return changed, nil
}

// Referenced says whether the i-th column that a key refers to is protected.
func (r *Decider) Referenced(d *Definition, k *Reference, i int) (protected, known bool) {
	if k.own(d) {
		if i >= len(k.referenced) {
			return false, false
		}
		c := d.Column(k.referenced[i])
		return c != nil && c.Protected(), c != nil
	}
	p := r.Parents(k.schema, k.table)
	if p.Table == nil {
		return false, p.Plain
	}
	name := k.referencedName(p.Table, i)
	at := p.Table.Column(name)
	return at >= 0 && p.Table.Columns[at].Protected(), at >= 0
}

// settledForm refuses to refer to a column that is about to become a protected or a plain one:
// the key would stay with the form that goes, and be no key of what clients see.
func (r *Decider) settledForm(d *Definition, k *Reference, i int) error {
	if k.own(d) {
		return nil
	}
	p := r.Parents(k.schema, k.table)
	if p.Table == nil {
		return nil
	}
	switch at := p.Table.Column(k.referencedName(p.Table, i)); {
	case at < 0:
		return nil
	case p.Table.PlainShadow(at) >= 0:
		return sqlerr.DefinitionForm(p.Table.Name, "a foreign key to a column that is being encrypted")
	case p.Table.Columns[at].Layer(catalog.PlainForm) != nil:
		return sqlerr.DefinitionForm(p.Table.Name, "a foreign key to a column that is being decrypted")
	}
	return nil
}

// annotationError is the refusal of a column that the policy cannot decide about.
func annotationError(column string, err error) error {
	switch {
	case errors.Is(err, policy.ErrWeaker):
		return sqlerr.Annotation(column, "it allows more than the rule for the column does")
	case errors.Is(err, policy.ErrAutoIncrement):
		return sqlerr.Annotation(column, "the server makes the values of an AUTO_INCREMENT column, so it stays plain")
	case errors.Is(err, policy.ErrWord), errors.Is(err, policy.ErrEmpty):
		return sqlerr.Annotation(column, "its words are plain, sealed, equality and order, and behind them family with a name, or apart")
	case errors.Is(err, policy.ErrTwice):
		return sqlerr.Annotation(column, "it says the same thing twice")
	case errors.Is(err, policy.ErrAlone):
		return sqlerr.Annotation(column, "plain and sealed stand alone")
	case errors.Is(err, policy.ErrGrain), errors.Is(err, policy.ErrNotOrder), errors.Is(err, policy.ErrRedundant):
		return sqlerr.Annotation(column, "only order takes a grain: a unit of time, a number, or prefix and a number")
	case errors.Is(err, policy.ErrFamily):
		return sqlerr.Annotation(column, "family takes one name, of letters, digits and _, and stands behind all other words; so does apart, without a name")
	case errors.Is(err, policy.ErrFamilyPlain):
		return sqlerr.Annotation(column, "a plain column is in no family, and not apart")
	}
	return sqlerr.Annotation(column, "it is tunic: and its words, at the beginning of the comment or behind a semicolon")
}

// LosesAnnotation reports whether a column that stays protected is annotated in the definition that the catalog has and not in
// this one, by which the policy would decide otherwise; note is what the annotation says.
func (r *Decider) LosesAnnotation(d *Definition, c *Column) (note policy.Note, lost bool) {
	note, was := d.Annotated[catalog.Folded(c.NameText())]
	if _, is, err := policy.Annotation(c.Comment()); !was || is || err != nil || note.Silent || !c.Protected() {
		return note, false
	}
	anew, err := r.Policy.Column(policy.Column{Schema: d.Schema, Table: d.Table, Name: c.NameText(), Comment: c.Comment()})
	return note, err == nil && anew.By == policy.ByDefault && anew.Protection != c.Decision.Protection
}
