package cost

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/keys"
)

// Figure is what one operation on values of one type has cost, round by round.
type Figure struct {
	Value     string // the type, and how long its values are
	Operation string // seal, open, or the name of a layer
	Rounds    []Round
}

// Measure measures all operations whose value and name, with a colon between them, match a
// pattern, or all without one.
func Measure(ctx context.Context, rounds int, only *regexp.Regexp) ([]Figure, error) {
	operations, err := all(only)
	if err != nil {
		return nil, err
	}
	figures := make([]Figure, len(operations))
	for i, o := range operations {
		figures[i] = Figure{Value: o.value, Operation: o.name}
		if err := o.warm(); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", o.value, o.name, err)
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // nothing else of the process runs beside
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for range rounds {
		for i := range operations {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			figures[i].Rounds = append(figures[i].Rounds, operations[i].measure())
		}
	}
	return figures, nil
}

// all makes the operations of all samples.
func all(only *regexp.Regexp) (operations []operation, err error) {
	tree, err := newTree()
	if err != nil {
		return nil, err
	}
	ring := crypt.NewRing(tree)
	for i := range samples {
		made, err := samples[i].operations(ring)
		if err != nil {
			return nil, err
		}
		operations = append(operations, made...)
	}
	made, err := familyOperations(ring)
	if err != nil {
		return nil, err
	}
	operations = append(operations, made...)
	if only == nil {
		return operations, nil
	}
	operations = slices.DeleteFunc(operations, func(o operation) bool { return !only.MatchString(o.value + ": " + o.name) })
	if len(operations) == 0 {
		return nil, fmt.Errorf("no operation on a value has a name that matches %q", only)
	}
	return operations, nil
}

// newTree is the key tree of a project that nothing is kept of.
func newTree() (*keys.Tree, error) {
	kek, err := keys.NewKEK()
	if err != nil {
		return nil, err
	}
	var project keys.Project
	copy(project[:], "costs of a value")
	master, _, err := kek.NewMaster(project, 0)
	if err != nil {
		return nil, err
	}
	return keys.NewTree(project, master)
}

// operations are to seal, to open, and a token for each layer.
func (s *sample) operations(ring *crypt.Ring) ([]operation, error) {
	bare, err := s.column()
	if err != nil {
		return nil, err
	}
	column, err := ring.Column(&bare)
	if err != nil {
		return nil, err
	}
	values, err := s.canonical(&bare.Type)
	if err != nil {
		return nil, err
	}
	sealed := make([][]byte, len(values))
	for i, v := range values {
		if sealed[i], err = column.AppendSealed(nil, v); err != nil {
			return nil, err
		}
	}
	size := min(max(pieceBytes/len(sealed[0]), pieceLeast), pieceMost)
	made := []operation{
		{s.name, "seal", size, func(dst []byte, i int) ([]byte, error) { return column.AppendSealed(dst, values[i]) }},
		{s.name, "open", size, func(dst []byte, i int) ([]byte, error) { return column.AppendOpened(dst, sealed[i]) }},
	}
	names, layers, err := s.layers(&bare.Type)
	if err != nil {
		return nil, err
	}
	for i, l := range layers {
		layered := bare
		layered.Layers = []catalog.Layer{l}
		with, err := ring.Column(&layered)
		if err != nil {
			return nil, err
		}
		made = append(made, operation{s.name, names[i], size, func(dst []byte, i int) ([]byte, error) {
			return with.AppendToken(dst, l.Capability, values[i])
		}})
	}
	return made, nil
}
