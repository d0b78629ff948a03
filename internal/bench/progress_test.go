package bench

import (
	"strings"
	"testing"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
)

// underWay returns a progress over three steps of 9.5 s each and a clock to turn.
func underWay(terminal bool) (p *progress, out *strings.Builder, steps []step, clock *time.Time) {
	c := document.Case{Workload: "oltp_insert", PSMode: "auto", Threads: 8}
	for round := range 3 {
		steps = append(steps, step{c, round, document.TargetTunic, 9500 * time.Millisecond})
	}
	out, clock = &strings.Builder{}, &time.Time{}
	*clock = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p = newProgress(out, nil)
	if terminal {
		p.status = func(line string) { out.WriteString("<" + line + ">") }
	}
	p.plan(steps)
	p.now = func() time.Time { return *clock }
	return p, out, steps, clock
}

func TestProgressInLines(t *testing.T) {
	p, out, steps, clock := underWay(false)
	p.note("making %d tables", 5)
	p.begin(steps[0])
	*clock = clock.Add(20 * time.Second) // twice as long as planned
	p.end(steps[0], document.Run{TPS: 1234, HopCPU: 12.34})
	p.begin(steps[1])
	*clock = clock.Add(20 * time.Second)
	p.end(steps[1], document.Run{Failed: "error 2013"})
	p.result("so it is")
	p.close()
	want := `making 5 tables
[1/3] oltp_insert, ps-mode auto, 8 threads, warm-up, tunic: 1,234 TPS, 12.3 µs of CPU a query; 40s left
[2/3] oltp_insert, ps-mode auto, 8 threads, round 1, tunic: FAILED: error 2013; 20s left
so it is
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out, want)
	}
}

func TestProgressOnATerminal(t *testing.T) {
	p, out, steps, clock := underWay(true)
	p.begin(steps[0])
	*clock = clock.Add(10 * time.Second)
	p.end(steps[0], document.Run{TPS: 1234})
	p.begin(steps[1])
	p.result("so it is")
	p.close()
	want := "<[1/3] 30s left · oltp_insert, ps-mode auto, 8 threads, warm-up, tunic>" +
		"<[2/3] 20s left · oltp_insert, ps-mode auto, 8 threads, round 1, tunic>" +
		"so it is\n<>"
	if out.String() != want {
		t.Errorf("got  %q\nwant %q", out, want)
	}
}

func TestCaseLine(t *testing.T) {
	d := documenttest.Some()
	d.Summarise()
	want := "oltp_insert, ps-mode auto, 8 threads:  direct 21,875 TPS  haproxy FAILED 1/3  tunic 13,838 TPS (0.63)  protected 12,075 TPS (0.55)"
	if got := caseLine(d, document.Case{Workload: "oltp_insert", PSMode: "auto", Threads: 8}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
