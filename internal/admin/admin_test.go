package admin

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"tunic/internal/metrics"
)

func TestMain(m *testing.M) {
	// The parser's library has a log of its own.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/golang/glog.(*fileSink).flushDaemon"))
}

func testOptions() Options {
	return Options{
		Metrics:  metrics.New(metrics.Options{Version: "v1"}),
		Ready:    func(context.Context) error { return nil },
		Draining: func() bool { return false },
		Log:      slog.New(slog.DiscardHandler),
	}
}

// get asks the pages for one path and gives status, body and headers.
func get(t *testing.T, o Options, method, path string) (int, string, http.Header) {
	t.Helper()
	w := httptest.NewRecorder()
	newPages(o).ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w.Code, w.Body.String(), w.Header()
}

func TestPages(t *testing.T) {
	o := testOptions()
	o.Metrics.Command(0x03).Inc()
	withPprof := testOptions()
	withPprof.Pprof = true
	down := testOptions()
	down.Ready = func(context.Context) error { return errors.New("the database server is away") }
	draining := testOptions()
	draining.Draining = func() bool { return true }
	draining.Ready = func(context.Context) error { panic("asked while draining") }

	for _, c := range []struct {
		name, method, path string
		options            Options
		status             int
		says               string
	}{
		{"index", "GET", "/", o, 200, "/readyz"},
		{"metrics", "GET", "/metrics", o, 200, `tunic_commands_total{command="query"} 1`},
		{"metrics of Go", "GET", "/metrics", o, 200, "go_goroutines"},
		{"metrics while ready", "GET", "/metrics", o, 200, "\ntunic_ready 1\n"},
		{"metrics while down", "GET", "/metrics", down, 200, "\ntunic_ready 0\n"},
		{"metrics while draining", "GET", "/metrics", draining, 200, "\ntunic_ready 0\n"},
		{"health", "GET", "/healthz", o, 200, "ok\n"},
		{"health while down", "GET", "/healthz", down, 200, "ok\n"},
		{"ready", "GET", "/readyz", o, 200, "ready\n"},
		{"ready, head", "HEAD", "/readyz", o, 200, ""},
		{"not ready", "GET", "/readyz", down, 503, "not ready: the database server is away\n"},
		{"draining", "GET", "/readyz", draining, 503, "not ready: draining\n"},
		{"unknown", "GET", "/nothing", o, 404, ""},
		{"below health", "GET", "/healthz/x", o, 404, ""},
		{"post", "POST", "/metrics", o, 405, ""},
		{"delete", "DELETE", "/", o, 405, ""},
		{"no pprof", "GET", "/debug/pprof/", o, 404, ""},
		{"no pprof heap", "GET", "/debug/pprof/heap", o, 404, ""},
		{"no pprof profile", "GET", "/debug/pprof/profile", o, 404, ""},
		{"pprof", "GET", "/debug/pprof/", withPprof, 200, "goroutine"},
		{"pprof heap", "GET", "/debug/pprof/heap", withPprof, 200, ""},
		{"pprof cmdline", "GET", "/debug/pprof/cmdline", withPprof, 200, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, body, header := get(t, c.options, c.method, c.path)
			if status != c.status || !strings.Contains(body, c.says) {
				t.Errorf("got %d %q, want %d and %q", status, body, c.status, c.says)
			}
			if header.Get("Cache-Control") != "no-store" || header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("headers are missing: %v", header)
			}
		})
	}
}

// TestIndexListsPages: pprof is only spoken of where it is served.
func TestIndexListsPages(t *testing.T) {
	o := testOptions()
	if _, body, _ := get(t, o, "GET", "/"); strings.Contains(body, "pprof") {
		t.Errorf("the index speaks of pprof:\n%s", body)
	}
	o.Pprof = true
	if _, body, _ := get(t, o, "GET", "/"); !strings.Contains(body, "/debug/pprof/ ") {
		t.Errorf("the index does not speak of pprof:\n%s", body)
	}
}

// TestReadyAsksRarely: an answer holds for a second, good or bad.
func TestReadyAsksRarely(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		answer := error(nil)
		c := newCached(func(context.Context) error { asked++; return answer })
		expect := func(want error, times int) {
			t.Helper()
			if err := c.ask(t.Context()); !errors.Is(err, want) || asked != times {
				t.Errorf("got %v after asking %d times, want %v after %d", err, asked, want, times)
			}
		}
		expect(nil, 1)
		answer = errors.New("away")
		time.Sleep(readyFresh - time.Millisecond)
		expect(nil, 1)
		time.Sleep(time.Millisecond)
		expect(answer, 2)
		expect(answer, 2)
	})
}

// TestReadyAsksOnce: who asks while the question is being answered gets that
// answer; who does not want to wait does not, and the answer is kept all the
// same.
func TestReadyAsksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		away := errors.New("away")
		c := newCached(func(ctx context.Context) error {
			asked.Add(1)
			select {
			case <-time.After(500 * time.Millisecond):
				return away
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		impatient, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		answers := make(chan error, 3)
		go func() { answers <- c.ask(impatient) }() // holds the turn and hangs up
		synctest.Wait()
		go func() { answers <- c.ask(impatient) }()
		go func() { answers <- c.ask(t.Context()) }()
		first, second, third := <-answers, <-answers, <-answers
		if !errors.Is(first, context.DeadlineExceeded) || !errors.Is(second, away) || !errors.Is(third, away) || asked.Load() != 1 {
			t.Errorf("got %v, %v, %v after asking %d times", first, second, third, asked.Load())
		}
	})
}

// TestReadyGivesUp: a database that does not answer is not ready.
func TestReadyGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCached(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		if err := c.ask(t.Context()); !errors.Is(err, errSlow) {
			t.Errorf("got %v, want %v", err, errSlow)
		}
	})
}

// serve runs a server on a free port until stop is called, which gives what
// Serve returned.
func serve(t *testing.T, o Options) (url string, stop func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- New(o).Serve(ctx, l) }()
	return "http://" + l.Addr().String(), func() error { cancel(); return <-done }
}

func TestServe(t *testing.T) {
	url, stop := serve(t, testOptions())
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(url + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK || string(body) != "ok\n" {
		t.Errorf("got %d %q", answer.StatusCode, body)
	}
	if err := stop(); err != nil {
		t.Errorf("Serve ended with %v", err)
	}
	if answer, err := client.Get(url + "/healthz"); err == nil {
		answer.Body.Close()
		t.Error("it still answers")
	}
}

// TestServeEndsWithOpenRequest: a page that takes long is cut off rather than
// holding up the end of the process.
func TestServeEndsWithOpenRequest(t *testing.T) {
	asked := make(chan struct{})
	release := make(chan struct{})
	o := testOptions()
	o.Ready = func(context.Context) error { close(asked); <-release; return nil }
	url, stop := serve(t, o)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	failed := make(chan error, 1)
	go func() {
		answer, err := client.Get(url + "/readyz")
		if err == nil {
			answer.Body.Close()
		}
		failed <- err
	}()
	<-asked
	if err := stop(); err != nil {
		t.Errorf("Serve ended with %v", err)
	}
	if err := <-failed; err == nil {
		t.Error("the request was answered")
	}
	close(release)
}

// TestServeReportsItsFailure: a socket that breaks is an error, not an end.
func TestServeReportsItsFailure(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := New(testOptions()).Serve(t.Context(), l); err == nil {
		t.Error("no error for a closed socket")
	}
}
