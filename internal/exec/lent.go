package exec

import "sync"

// lent is memory that an execution has of a pool.
type lent interface{ giveBack() }

// borrow takes memory from a pool, until the execution is closed.
func borrow[M lent](x *execution, pool *sync.Pool) M {
	m := pool.Get().(M) //nolint:forcetypeassert // the pool holds nothing else
	x.lent = append(x.lent, m)
	return m
}

// giveBack closes the execution of what ends with another one.
func (x *execution) giveBack() { x.close() }

// close gives back what the execution has taken of the budget and of pools. No row that
// it has passed on is good any more.
func (x *execution) close() {
	for _, m := range x.lent {
		m.giveBack()
	}
	x.lent = nil
	x.account.close()
}
