package ddl

import (
	"strings"
	"sync/atomic"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/ddl/decryption"
	"tunic/internal/ddl/layering"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/ledger"
	"tunic/internal/policy"
)

// Definer makes, changes and drops protected tables. It may be used by many
// goroutines; definitions are made one after the other, as the ledger has it.
type Definer struct {
	o       Options
	policy  atomic.Pointer[policy.Policy]
	guarded atomic.Pointer[guardedPlain] // see GuardedPlain
	newID   func() catalog.ID
	// suspects are names of tables that may be stored and are not of the catalog: see Suspect.
	suspects atomic.Pointer[map[[2]string]bool]

	services service.Idle

	// Upkeep changes stored tables for tunic itself, and knows who changes which.
	Upkeep *upkeep.Tables
	// Layers brings layers up and takes them down.
	Layers *layering.Layers
	// Decryption makes protected tables plain ones.
	Decryption *decryption.Decryption
}

// New makes a Definer.
func New(o Options) *Definer {
	u := upkeep.New(o.DB, o.Ledger, o.Log, o.Flavor)
	d := &Definer{o: o, newID: catalog.NewID, Upkeep: u, Layers: &layering.Layers{Tables: u, Seals: o.Seals}}
	d.Decryption = &decryption.Decryption{Tables: u, Flavor: o.Flavor, Policy: d.Policy, Seals: o.Seals}
	d.SetPolicy(o.Policy)
	return d
}

// ring makes the cryptography of some work.
func (d *Definer) ring() *crypt.Ring { return crypt.NewRingCounting(d.o.Ledger.Tree(), d.o.Seals) }

// Close lets go of the connections that it keeps between definitions.
func (d *Definer) Close() { d.services.Close() }

// MayProtectTable reports whether a table of such a name would have a protected
// column, whatever its definition.
func (d *Definer) MayProtectTable(schema, table string) bool {
	if d.Policy().MayProtect(schema, table) {
		return true
	}
	suspects := d.suspects.Load()
	return suspects != nil && (*suspects)[foldedName(schema, table)]
}

// Suspect has tables be looked at before they are used, whatever the policy says of them: they have been seen with the mark
// of a stored table, and the catalog does not know them.
func (d *Definer) Suspect(tables []ledger.Marked) {
	suspects := map[[2]string]bool{}
	for _, t := range tables {
		suspects[foldedName(t.Schema, t.Name)] = true
	}
	d.suspects.Store(&suspects)
}

// foldedName is a name for servers that take the case of names for nothing; on others it may be that of more tables.
func foldedName(schema, table string) [2]string {
	return [2]string{strings.ToLower(schema), strings.ToLower(table)}
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
