package cost

import (
	"math"
	"runtime"
	"slices"
	"time"
)

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
