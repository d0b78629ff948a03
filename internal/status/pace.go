package status

import (
	"strconv"
	"time"
)

// paces are how fast work goes that was looked at before, by what it is. What is not there
// any more is forgotten.
type paces map[string]pace

// pace is where something was when it was first looked at, in between, and last.
type pace struct {
	from, mid mark
	last      uint64
}

// mark is how many rows were done at a time.
type mark struct {
	at   time.Time
	done uint64
}

// paceFor is over how long a pace is at least, once it has been looked at for that long, and
// at most twice.
const paceFor = 30 * time.Second

// take notes how far everything is, and writes down how fast it goes.
func (p paces) take(of *Protection, now time.Time) {
	if of == nil {
		return
	}
	seen := map[string]bool{}
	for i := range of.Jobs {
		if j := &of.Jobs[i]; j.State == "running" || j.State == "cancelling" {
			p.one("job "+strconv.FormatUint(j.ID, 10)+" "+j.Stage, &j.Progress, now, seen)
		}
	}
	for i := range of.Encryptions {
		e := &of.Encryptions[i]
		p.one(e.Direction+" "+e.Table, &e.Progress, now, seen)
	}
	for name := range p {
		if !seen[name] {
			delete(p, name)
		}
	}
}

func (p paces) one(name string, of *Progress, now time.Time, seen map[string]bool) {
	seen[name] = true
	here := mark{now, of.Done}
	was, known := p[name]
	switch {
	case !known || of.Done < was.last: // or a new step of it has begun
		p[name] = pace{here, here, of.Done}
		return
	case now.Sub(was.mid.at) >= paceFor:
		was.from, was.mid = was.mid, here
	}
	was.last = of.Done
	p[name] = was
	took := now.Sub(was.from.at).Seconds()
	if took < 1 {
		return
	}
	rate := float64(of.Done-was.from.done) / took
	of.Rate = &rate
	if rate > 0 && of.Expected > of.Done {
		left := float64(of.Expected-of.Done) / rate
		of.Left = &left
	}
}
