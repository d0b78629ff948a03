package layers

import "time"

// Sizes and times of paced work.
const (
	chunkTime  = 50 * time.Millisecond // that a chunk is to take, and so that a change of the table may wait for one
	chunkFirst = 100                   // rows of the first
	chunkLeast = 10
	chunkMost  = 5000
	chunkLong  = 64 // at most, where a column may be longer than a row

	restLeast = 0.25 // of the time of a chunk there is a pause behind it, on a quiet server
	restEach  = 0.5  // for each client that the server works for
	restMost  = 10.0 // times that time, on a busy one
)

// pace is how many rows are taken at a time, and how long the others have the server for
// themselves in between. Chunks are made as long as takes them chunkTime. The pause grows
// with how much slower the server is than it was when it was quietest, and with how many
// clients it works for: one that has been busy since before the work began is never seen quiet.
type pace struct {
	rows, most int
	steady     bool // for who waits for the end: no pause, and chunks of one size
	// quiet is the least that reading a row has taken, in seconds. It is forgotten slowly:
	// the work may have come to longer rows.
	quiet float64
}

func newPace(steady, long bool) pace {
	p := pace{rows: chunkFirst, most: chunkMost, steady: steady}
	if steady {
		p.rows, p.most = rowsFilled, rowsFilled
	}
	if long {
		p.most = chunkLong
		if p.rows = chunkLeast; steady {
			p.rows = rowsLong
		}
	}
	return p
}

// after hears how long a chunk took, how long the reading of its rows alone, and for how many
// others the server works, and says for how long to pause.
func (p *pace) after(rows int, took, reading time.Duration, others int) time.Duration {
	if p.steady || rows == 0 {
		return 0
	}
	const forget, factorMost = 1.02, 2
	cost := reading.Seconds() / float64(rows)
	if p.quiet *= forget; p.quiet == 0 || cost < p.quiet {
		p.quiet = cost
	}
	if rows >= p.rows { // of a shorter one nothing is to be learnt
		factor := min(max(chunkTime.Seconds()/took.Seconds(), 1.0/factorMost), factorMost)
		p.rows = min(max(int(float64(p.rows)*factor), chunkLeast), p.most)
	}
	slower := restEach * float64(others)
	if p.quiet > 0 {
		slower = max(slower, cost/p.quiet-1)
	}
	return min(time.Duration(float64(took)*min(max(slower, restLeast), restMost)), pauseMax)
}

// again begins to learn anew what a quiet server is: of other work.
func (p *pace) again() { p.quiet = 0 }
