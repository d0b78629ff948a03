package document

import (
	"fmt"

	"tunic/internal/bench/figure"
)

// Case is what the targets are compared under.
type Case struct {
	Workload string `json:"workload"`
	PSMode   string `json:"ps_mode"`
	Threads  int    `json:"threads"`
	Rows     int    `json:"rows,omitempty"`  // of questions, which are asked over several sizes
	Value    string `json:"value,omitempty"` // of operations on single values: the type
	Rate     string `json:"rate,omitempty"`  // of writes a second, where clients keep to one
}

func (c Case) String() string {
	if c.Value != "" {
		return c.Value + ": " + c.Workload
	}
	if c.Rate != "" {
		return fmt.Sprintf("%s, %s a second, %d threads", c.Workload, c.Rate, c.Threads)
	}
	if c.Rows > 0 && c.Threads > 1 {
		return fmt.Sprintf("%s, %s rows, %d threads", c.Workload, figure.Grouped(float64(c.Rows)), c.Threads)
	}
	if c.Rows > 0 {
		return fmt.Sprintf("%s, %s rows", c.Workload, figure.Grouped(float64(c.Rows)))
	}
	return fmt.Sprintf("%s, ps-mode %s, %d threads", c.Workload, c.PSMode, c.Threads)
}
