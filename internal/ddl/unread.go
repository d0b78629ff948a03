package ddl

import "tunic/internal/policy"

// MayProtectTable reports whether a table of such a name would have a protected
// column, whatever its definition.
func (d *Definer) MayProtectTable(schema, table string) bool {
	return d.Policy().MayProtect(schema, table)
}

// MayProtect reports whether a definition that nobody can read might have to make a
// protected table, though it does not speak to tunic.
func (d *Definer) MayProtect() bool {
	p := d.Policy()
	return p.Default.Protected || len(p.Rules) > 0
}

// Policy is the operator's, as it is now.
func (d *Definer) Policy() *policy.Policy { return d.policy.Load() }

// SetPolicy has definitions that begin from now on go by another policy.
func (d *Definer) SetPolicy(p *policy.Policy) { d.policy.Store(p) }

// options are those of the Definer, with the policy as it is now.
func (d *Definer) options() Options {
	o := d.o
	o.Policy = d.Policy()
	return o
}

// rules are the policy by which a definition goes, from its beginning to its end.
func (w *work) rules() *policy.Policy {
	if w.policy == nil {
		w.policy = w.Policy()
	}
	return w.policy
}
