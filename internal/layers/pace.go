package layers

import "time"

// Sizes and times of paced work.
const (
	chunkTime  = 100 * time.Millisecond // that a chunk is to take, and so that a change of the table may wait for one
	chunkFirst = 100                    // rows of the first
	chunkLeast = 1000                   // of fewer the statements around them cost more than the rows do; of wide rows as many as are about a statement
	chunkMost  = 5000
	chunkLong  = 64 // at most, where a column may be longer than a row

	restLeast = 0.1 // of the time of a chunk there is a pause behind it, on a quiet server
	restEach  = 2.0 // times it for each client that the server works for, if that is more
	restMost  = 3.0 // times it at most: a quarter of what one connection can have is left to the work
)

// pace is how many rows are taken at a time, and how long the others have the server for
// themselves in between. Chunks are made as long as takes them chunkTime, but no shorter than
// chunkLeast where the server is busy: a statement waits there for its turn whatever it has to do, and
// chunks that go by the time become the smaller, and cost the more for each row, the less there is
// to be had. The pause grows with for how many clients the server works, up to restMost. Each
// row costs the server an update with its index, beside what it costs clients that their rows
// change: with pauses as long as the work, two jobs took half of two processors from 24 clients.
type pace struct {
	rows, most, least int
	steady            bool // for who waits for the end: no pause, and chunks of one size
}

func newPace(steady bool, w *worker) pace {
	p := pace{rows: chunkFirst, most: chunkMost, least: min(max(textMax/max(w.width, 1), chunkFirst), chunkLeast), steady: steady}
	if steady {
		p.rows, p.most = rowsBackfilled, rowsBackfilled
	}
	if w.long {
		p.most, p.least, p.rows = chunkLong, 1, rowsLong
	}
	return p
}

// after hears how long a chunk took, and for how many others the server works, and says for
// how long to pause.
func (p *pace) after(rows int, took time.Duration, others float64) time.Duration {
	if p.steady || rows == 0 {
		return 0
	}
	const factorMost = 2
	if rows >= p.rows { // of a shorter one nothing is to be learnt
		factor := min(max(chunkTime.Seconds()/took.Seconds(), 1.0/factorMost), factorMost)
		p.rows = min(max(int(float64(p.rows)*factor), p.least), p.most)
	}
	return p.pause(took, others)
}

// pause is for how long others have the server for themselves behind work that took some time.
func (p *pace) pause(took time.Duration, others float64) time.Duration {
	if p.steady {
		return 0
	}
	return min(time.Duration(float64(took)*min(max(restEach*others, restLeast), restMost)), pauseMax)
}
