package meter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// CPUProfile is where a tunic's processor time went in a turn of its own, which no figure
// of the cell is of.
type CPUProfile struct {
	File    string         `json:"file"`        // beside the document, for go tool pprof
	Seconds float64        `json:"cpu_seconds"` // of processor time
	Flat    []FunctionCost `json:"flat"`        // the functions in which most was spent
	Total   []FunctionCost `json:"cumulative"`  // those in which, or below which, most was
}

const (
	profileSecondsMost = 60 // that are asked for at a time: tunic ends an answer after 90
	profileTop         = 20
)

// Profiling asks a tunic for a profile of some seconds.
type Profiling struct {
	ctx     context.Context //nolint:containedctx // it lives as long as the step
	url     string
	done    chan struct{}
	content []byte
	err     error
}

// NewProfiling asks the tunic whose admin address this is for as many seconds as are measured.
func NewProfiling(ctx context.Context, admin string, long time.Duration) *Profiling {
	seconds := min(int(long/time.Second), profileSecondsMost)
	return &Profiling{ctx: ctx, url: fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", admin, seconds)}
}

// begin asks for it.
func (p *Profiling) begin() {
	p.done = make(chan struct{})
	go func() {
		defer close(p.done)
		p.content, p.err = p.fetch()
	}()
}

func (p *Profiling) fetch() ([]byte, error) {
	request, err := http.NewRequestWithContext(p.ctx, http.MethodGet, p.url, nil)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Timeout: 2 * profileSecondsMost * time.Second}
	defer client.CloseIdleConnections()
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close() //nolint:errcheck // it is read to its end
	content, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("tunic answers %s", answer.Status)
	}
	return content, err
}

// Wait returns the profile when the seconds are over.
func (p *Profiling) Wait() ([]byte, error) {
	if p.done == nil {
		return nil, errors.New("the load has not begun")
	}
	<-p.done
	return p.content, p.err
}
