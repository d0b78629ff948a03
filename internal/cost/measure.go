package cost

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

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

// Round is what an operation has cost in one round.
type Round struct {
	Operations  int
	Nanoseconds float64 // an operation
	Bytes       float64 // that come out of it
	// Allocations and AllocatedBytes are whole numbers, as those of package testing: what is
	// allocated once for a thousand operations is of the pools that they use.
	Allocations, AllocatedBytes float64
}

// operation is what is measured: it appends what comes out for the i-th value.
type operation struct {
	value, name string
	pieceSize   int
	do          func(dst []byte, i int) ([]byte, error)
}

// How many operations make a measurement. A piece is to take a few tenths of a millisecond.
const (
	pieces     = 41
	pieceMost  = 500
	pieceLeast = 5
	pieceBytes = 64 << 10 // that are sealed in it
)

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

// warm does the operation once for each value: it has no error afterwards.
func (o *operation) warm() error {
	for i := range different {
		if _, err := o.do(nil, i); err != nil {
			return err
		}
	}
	return nil
}

// measure does the operation in pieces.
func (o *operation) measure() Round {
	runtime.GC() // of what was allocated before, since none is collected meanwhile
	var before, after runtime.MemStats
	took := make([]float64, pieces)
	out, bytes, next := make([]byte, 0, 256<<10), 0, 0
	runtime.ReadMemStats(&before)
	for piece := range took {
		began := time.Now()
		for range o.pieceSize {
			out, _ = o.do(out[:0], next%different) // see warm
			bytes += len(out)
			next++
		}
		took[piece] = float64(time.Since(began)) / float64(o.pieceSize)
	}
	runtime.ReadMemStats(&after)
	slices.Sort(took)
	n := float64(next)
	return Round{
		Operations: next, Nanoseconds: took[pieces/2], Bytes: float64(bytes) / n,
		Allocations:    math.Floor(float64(after.Mallocs-before.Mallocs) / n),
		AllocatedBytes: math.Floor(float64(after.TotalAlloc-before.TotalAlloc) / n),
	}
}
