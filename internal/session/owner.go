package session

import (
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/environment"
	"tunic/internal/procedure"
	"tunic/internal/recipe"
	"tunic/internal/show"
	"tunic/internal/variables"
)

// owner makes of a session the exec.Owner of what is executed.
type owner struct{ session *Session }

// Catalog implements exec.Owner.
func (o owner) Catalog() *catalog.Catalog { return o.session.attempt.Catalog() }

// Told implements exec.Owner.
func (o owner) Told() *catalog.Catalog { return o.session.shared.Ledger.Catalog() }

// PlainOnly implements exec.Owner.
func (o owner) PlainOnly() bool { return o.session.entry.Outsider }

// Own implements exec.Owner.
func (o owner) Own() show.OwnRows {
	s := o.session
	return &procedure.Rows{
		Life: s.life, Fresh: func() { s.attempt.CatchUp(nil) }, Catalog: s.shared.Ledger.Catalog, Runner: s.shared.Jobs, Advisor: s.shared.Advisor,
	}
}

// Fence implements exec.Owner.
func (o owner) Fence(t *catalog.Table) (string, error) {
	return o.session.shared.Ledger.FenceOf(o.session.life, t)
}

// Schema implements exec.Owner.
func (o owner) Schema() string { return o.session.schema() }

// Locked implements exec.Owner.
func (o owner) Locked() bool { return o.session.state.IsLocked() }

// NamesOnce implements exec.Owner.
func (o owner) NamesOnce() bool {
	return o.session.state.IsLocked() || o.session.state.MayReadUncommitted() || o.session.transaction.Plain.Any() || o.session.transaction.Temporaries.Any()
}

// Leaving implements exec.Owner.
func (o owner) Leaving() bool { return o.session.leaving() }

// File asks the client for a file that tunic reads itself, and returns what reads it part by part.
func (o owner) File(name []byte) (more func() ([]byte, error), err error) {
	const wanted = 0xfb
	o.session.client.WritePacket(append([]byte{wanted}, name...))
	if err := o.session.writePending(); err != nil {
		return nil, err
	}
	return o.session.filePart, nil
}

// Bound notes that a variable goes with a protected column.
func (o owner) Bound(name string) {
	o.session.variables.Hide(name)
}

// Read returns the values of variables. Those that are not kept the server is asked for.
func (o owner) Read(names []string) ([]binding.Variable, error) {
	s := o.session
	return s.variables.Read(s.server, environment.FlavorOf(s.state.Modes()), names)
}

// Tell asks the server for what the session says of itself.
func (o owner) Tell(expressions []string) ([]binding.Variable, error) {
	all := make([]binding.Variable, len(expressions))
	var asked []string
	var at []int
	for i, of := range expressions {
		if of != recipe.RowCount && of != recipe.FoundRows {
			asked, at = append(asked, of), append(at, i)
			continue
		}
		var err error
		if all[i], err = o.session.last.Counts.Tell(of); err != nil {
			return nil, err
		}
	}
	if len(asked) > 0 {
		told, err := variables.Ask(o.session.server, environment.FlavorOf(o.session.state.Modes()), asked)
		if err != nil {
			return nil, err
		}
		for i := range told {
			all[at[i]] = told[i]
		}
	}
	for i := range all {
		all[i].Source.Variable, all[i].Source.System = false, true
	}
	return all, nil
}
