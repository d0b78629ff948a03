package local

import "sync"

// borrowed is memory that an execution has of a pool.
type borrowed interface{ giveBack() }

// borrow takes memory from a pool, until the execution is closed.
func borrow[M borrowed](x *Execution, pool *sync.Pool) M {
	m := pool.Get().(M) //nolint:forcetypeassert // the pool holds nothing else
	x.Borrowed = append(x.Borrowed, m)
	return m
}

// giveBack closes the execution of what ends with another one.
func (x *Execution) giveBack() { x.Close() }

// Close gives back what the execution has taken of the budget and of pools. No row that
// it has passed on is good any more.
func (x *Execution) Close() {
	for _, m := range x.Borrowed {
		m.giveBack()
	}
	x.Borrowed = nil
	x.Account.Close()
}
