package local

import (
	"slices"

	"tunic/internal/eval"
)

// Sieve leaves rows of leaves out before all of their cells are opened, and columns that nothing reads. It belongs to one execution.
type Sieve struct {
	of     []*leafSieve // by the leaf; nil for those whose rows have no condition that is looked at here
	run    *treeRun
	met    []met // by the leaf; nil if rows of none are held to others
	leaf   int   // that of the last row
	passed bool  // the last row's condition is true, and need not be computed again
	asked  bool  // rows come without the columns that nothing reads
}

// Reads reports whether anything reads a column of a leaf.
func (s *Sieve) Reads(leaf, column int) bool {
	read := s.run.program.leaves[leaf].read
	return column >= len(read) || read[column]
}

// leafSieve is a sifting in one execution.
type leafSieve struct {
	*sifting
	runs  []*Running
	order []int // of the parts
	false []int // how often each was, of the first rows
	rows  int   // that were looked at, up to sieveRows
}

// sieveRows is of how many rows all parts are computed, to begin with the part that is false most often.
const sieveRows = 64

// newSieve makes the sieve of an execution.
func (p *Program) newSieve(x *Execution, t *treeRun) (*Sieve, error) {
	s := &Sieve{of: make([]*leafSieve, len(p.tree.leaves)), run: t, met: newMet(p.tree.planned)}
	for i := range p.tree.leaves {
		of := p.tree.leaves[i].sifting
		if of == nil {
			continue
		}
		made := &leafSieve{sifting: of, false: make([]int, len(of.parts))}
		for n := range of.parts {
			run, err := of.parts[n].Begin(x)
			if err != nil {
				return nil, err
			}
			made.runs, made.order = append(made.runs, run), append(made.order, n)
		}
		s.of[i] = made
	}
	return s, nil
}

// Columns reads columns of the row that is looked at.
type Columns interface {
	// Read puts a column of the leaf, from 0 on, into the row.
	Read(column int) error
}

// Drops reports whether a row of a leaf is left out. What it needs to know of the row it has read.
func (s *Sieve) Drops(leaf int, row eval.Row, columns Columns) (bool, error) {
	if s.passed, s.asked = false, true; s.of[leaf] == nil {
		return false, nil
	}
	drops, known, err := s.of[leaf].drops(row, columns)
	switch {
	case err != nil:
		return false, err
	case !known: // the whole condition says what has to be said
		s.of[leaf] = nil
		return false, nil
	}
	if s.passed = !drops; drops {
		s.run.drop(leaf)
	}
	return drops, nil
}

// drops reports whether a part of the condition is not true, and whether that is known.
func (l *leafSieve) drops(row eval.Row, columns Columns) (drops, known bool, err error) {
	all := l.quiet && l.rows < sieveRows
	for _, n := range l.order {
		for _, column := range l.parts[n].columns {
			if err := columns.Read(column); err != nil {
				return false, false, err
			}
		}
		truth, err := l.runs[n].Truth(row)
		if err != nil || len(l.runs[n].Conditions()) > 0 || truth == eval.Unknown && !l.quiet {
			return false, false, nil
		}
		if truth != eval.True && !all {
			return true, true, nil
		}
		if truth != eval.True {
			l.false[n]++
			drops = true
		}
	}
	if all {
		if l.rows++; l.rows == sieveRows {
			slices.SortStableFunc(l.order, func(a, b int) int { return l.false[b] - l.false[a] })
		}
	}
	return drops, true, nil
}
