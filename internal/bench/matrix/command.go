package matrix

import (
	"fmt"
	"strings"

	"tunic/internal/bench/document"
)

// CommandOf is the command line that measures with the same settings.
func CommandOf(s document.Settings, name string) string {
	line := fmt.Sprintf("bin/tunic bench %s --workloads=%s --targets=%s --psmodes=%s --threads=%s --rounds=%d --seconds=%d --warmup=%d --tables=%d --rows=%d",
		name, strings.Join(s.Workloads, ","), strings.Join(s.Targets, ","), strings.Join(s.PSModes, ","),
		strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Threads), " ", ","), "[]"),
		s.Rounds, s.Seconds, s.WarmUpSeconds, s.Tables, s.Rows)
	if s.Transactions > 0 {
		line += fmt.Sprintf(" --transactions=%d", s.Transactions)
	}
	if s.Profile {
		line += " --profile"
	}
	for _, name := range s.Workloads {
		if w, err := WorkloadsNamed([]string{name}); err == nil && w[0].TPCC {
			line += fmt.Sprintf(" --warehouses=%d --share=%g", s.Warehouses, s.Share)
		}
	}
	return line
}
