package main

import (
	"context"
	_ "embed" // what looks at the page
	"encoding/json"
	"flag"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

var pictures = flag.String("screenshots", "", "a folder for pictures of the status page")

// TestStatusPage looks at the page in a browser: empty, under load, when tunic does not answer,
// and with 1,000 tables.
func TestStatusPage(t *testing.T) {
	if os.Getenv("TUNIC_LONG") == "" {
		t.Skip("a browser takes its time: TUNIC_LONG=1")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium: apt-get install chromium")
	}
	w := startWatched(t, sandboxtest.Own(t, sandbox.MariaDB), nil)
	b := &browsing{t: t, program: browser, url: "http://" + w.admin + "/status", pictures: *pictures}
	b.says("No table is protected yet.", "No statement has been answered yet.", "tunic has refused nothing.")
	b.picture("empty", "1280,1700", false)
	stop := w.load(t)
	waittest.Until(t, "statements are counted", func() bool { return w.state(t, "").Work.Local > 0 })
	b.says("TUNIC-2", "SELECT name FROM person WHERE id = ?", "test.person")
	for _, dark := range []bool{false, true} {
		w.looksRight(t, b, dark)
	}
	b.picture("load", "1280,2000", false)
	b.picture("dark", "1280,2000", true)
	stop()
	w.manyTables(t, 1000)
	b.says("1,002, the first 20 shown")
	b.picture("tables", "1280,2600", false)
	w.showsMany(t, b)
}

// looksRight looks at the page under load in windows of several widths, and then at what it
// says of a tunic that does not answer.
func (w watched) looksRight(t *testing.T, b *browsing, dark bool) {
	t.Helper()
	f := w.frame(t, b, "", dark)
	f.until("the page changes three times by itself", func(p *seen) bool { return p.Loaded && p.Changes >= 3 })
	f.check()
	f.silent.Store(true)
	f.until("the page says that nobody answers", func(p *seen) bool { return p.Health == "no answer" && strings.Contains(p.Stamp, " old") })
	f.check()
	f.silent.Store(false)
	f.until("the page goes on", func(p *seen) bool { return p.Health == "ready" && p.Stamp == "" })
}

// showsMany has the page show 1,000 of 1,002 tables.
func (w watched) showsMany(t *testing.T, b *browsing) {
	t.Helper()
	began := time.Now()
	if n := len(w.state(t, "?tables=1000").Protection.Tables); n != 1000 {
		t.Errorf("/status.json has %d of 1,000 tables", n)
	}
	took := time.Since(began)
	f := w.frame(t, b, "?more", false)
	f.until("1,000 tables are shown", func(p *seen) bool { return p.Rows == 1000 })
	f.check()
	for _, p := range f.all() {
		if p.Width == 1280 {
			t.Logf("1,000 tables: /status.json in %s, %d elements", took.Round(time.Millisecond), p.Elements)
		}
	}
}

// framed is a page with the status in frames of several widths, as the windows of browsers are not
// narrower than 500. It sends what it sees.
//
//go:embed testdata/framed.html
var framed string

// seen is what was seen in one frame.
type seen struct {
	Width    int // of the window
	Over     int // by how much something is beyond its right edge
	Loaded   bool
	Changes  int      // how often the figures have changed
	Jumps    int      // how often the columns of a table have moved
	Outside  []string // requests to somewhere else
	Faint    []string // texts with too little contrast
	Unnamed  []string // what has no name or role for who does not see it
	Rows     int      // of protected tables
	Elements int
	Health   string
	Stamp    string
}

// frames are the frames, and what was seen in them last.
type frames struct {
	t      *testing.T
	silent atomic.Bool // tunic does not answer
	last   atomic.Pointer[[]*seen]
}

// frame opens a browser with the frames, for the rest of the test.
func (w watched) frame(t *testing.T, b *browsing, query string, dark bool) *frames {
	t.Helper()
	f := &frames{t: t}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: w.admin})
	proxy.ErrorLog = log.New(io.Discard, "", 0) // a browser that ends hangs up
	proxy.ModifyResponse = func(answer *http.Response) error {
		answer.Header.Del("Content-Security-Policy") // it lets nobody frame the page, and hides what the page would ask for
		return nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(out http.ResponseWriter, r *http.Request) {
		if f.silent.Load() {
			panic(http.ErrAbortHandler)
		}
		proxy.ServeHTTP(out, r)
	})
	mux.HandleFunc("/framed", func(out http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(out, framed) })
	mux.HandleFunc("POST /seen", func(_ http.ResponseWriter, r *http.Request) {
		var all []*seen
		if err := json.NewDecoder(r.Body).Decode(&all); err != nil {
			t.Errorf("what was seen: %v", err)
			return
		}
		f.last.Store(&all)
	})
	server := httptest.NewServer(mux)
	through := *b
	through.url = server.URL + "/framed" + query
	end := through.open(dark)
	t.Cleanup(func() { end(); server.Close() })
	return f
}

func (f *frames) all() []*seen {
	if all := f.last.Load(); all != nil {
		return *all
	}
	return nil
}

// until waits until something is so in every frame.
func (f *frames) until(what string, is func(*seen) bool) {
	f.t.Helper()
	defer func() {
		if f.t.Failed() {
			for _, p := range f.all() {
				f.t.Logf("%+v", *p)
			}
		}
	}()
	waittest.Until(f.t, what, func() bool {
		all := f.all()
		return len(all) == 3 && !slices.ContainsFunc(all, func(p *seen) bool { return !is(p) })
	})
}

// check is what holds of every state of the page.
func (f *frames) check() {
	f.t.Helper()
	for _, p := range f.all() {
		if p.Over > 0 {
			f.t.Errorf("in a window of %d pixels the page is %d too wide", p.Width, p.Over)
		}
		if p.Jumps > 1 {
			f.t.Errorf("in a window of %d pixels columns have moved %d times", p.Width, p.Jumps)
		}
		for what, list := range map[string][]string{"asks elsewhere": p.Outside, "has faint text": p.Faint, "has no name": p.Unnamed} {
			if len(list) > 0 {
				f.t.Errorf("in a window of %d pixels the page %s: %q", p.Width, what, list)
			}
		}
	}
}

// browsing is a browser without a window that looks at a page.
type browsing struct {
	t                      *testing.T
	program, url, pictures string
}

func (b *browsing) command(ctx context.Context, dark bool, args ...string) *exec.Cmd {
	all := []string{
		"--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-dev-shm-usage", "--user-data-dir=" + b.t.TempDir(),
	}
	if dark {
		all = append(all, "--blink-settings=preferredColorScheme=0")
	}
	return exec.CommandContext(ctx, b.program, append(append(all, args...), b.url)...)
}

// open has the browser show a page until end is called.
func (b *browsing) open(dark bool) (end func()) {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.t.Context())
	browser := b.command(ctx, dark, "--remote-debugging-port=0", "--window-size=1400,1000")
	browser.Cancel = func() error { return browser.Process.Signal(os.Interrupt) } // its own processes end with it
	browser.WaitDelay = 10 * time.Second
	if err := browser.Start(); err != nil {
		b.t.Fatalf("the browser: %v", err)
	}
	return func() {
		cancel()
		_ = browser.Wait() // with the signal
	}
}

func (b *browsing) run(dark bool, args ...string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 2*time.Minute)
	defer cancel()
	out, err := b.command(ctx, dark, append(args, "--virtual-time-budget=4000")...).Output()
	if err != nil {
		b.t.Fatalf("the browser: %v", err)
	}
	return string(out)
}

// says looks for texts on the page.
func (b *browsing) says(texts ...string) {
	b.t.Helper()
	page := b.run(false, "--dump-dom")
	for _, text := range texts {
		if !strings.Contains(page, text) {
			b.t.Errorf("the page does not say %q", text)
		}
	}
}

func (b *browsing) picture(name, size string, dark bool) {
	if b.pictures != "" {
		b.run(dark, "--screenshot="+filepath.Join(b.pictures, name+".png"), "--window-size="+size)
	}
}
