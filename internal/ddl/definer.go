package ddl

import (
	"sync/atomic"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/ddl/decryption"
	"tunic/internal/ddl/layering"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/policy"
)

// Definer makes, changes and drops protected tables. It may be used by many
// goroutines; definitions are made one after the other, as the ledger has it.
type Definer struct {
	o       Options
	policy  atomic.Pointer[policy.Policy]
	guarded atomic.Pointer[guardedPlain] // see GuardedPlain
	newID   func() catalog.ID

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
