package structure

// components returns the strongly connected components of a graph: of[i] are the nodes that node i leads to.
// This is Tarjan's algorithm (R. Tarjan, "Depth-first search and linear graph algorithms", 1972).
func components(of [][]int) [][]int {
	t := tarjan{of: of, index: make([]int, len(of)), low: make([]int, len(of)), on: make([]bool, len(of))}
	for i := range of {
		if t.index[i] == 0 {
			t.visit(i)
		}
	}
	return t.found
}

type tarjan struct {
	of    [][]int
	next  int
	index []int // when a node was met first, from 1; 0 is not yet
	low   []int // the earliest node on the stack that it reaches
	stack []int
	on    []bool
	found [][]int
}

func (t *tarjan) visit(i int) {
	t.next++
	t.index[i], t.low[i] = t.next, t.next
	t.stack, t.on[i] = append(t.stack, i), true
	for _, j := range t.of[i] {
		if t.index[j] == 0 {
			t.visit(j)
			t.low[i] = min(t.low[i], t.low[j])
		} else if t.on[j] {
			t.low[i] = min(t.low[i], t.index[j])
		}
	}
	if t.low[i] != t.index[i] {
		return
	}
	at := len(t.stack) - 1
	for t.stack[at] != i {
		at--
	}
	component := append([]int(nil), t.stack[at:]...)
	for _, j := range component {
		t.on[j] = false
	}
	t.stack = t.stack[:at]
	t.found = append(t.found, component)
}

// largest returns the component with the most lines.
func largest(components [][]int, lines []int) []int {
	var best []int
	most := -1
	for _, c := range components {
		sum := 0
		for _, i := range c {
			sum += lines[i]
		}
		if len(c) > 1 && sum > most {
			best, most = c, sum
		}
	}
	return best
}
