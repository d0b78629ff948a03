package admin

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"strings"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// page is one path and what the index says of it.
type page struct {
	path, about string
	handler     http.Handler
}

// newPages routes the paths. Only GET and HEAD are known; everything else is
// answered 404 or 405.
func newPages(o Options) http.Handler {
	ready := &readyPage{o.Draining, newCached(o.Ready)}
	o.Metrics.WatchReady(func() bool { return ready.why(context.Background()) == nil })
	pages := []page{
		{"/metrics", "metrics for Prometheus", metricsPage(o)},
		{"/healthz", "is the process up", http.HandlerFunc(healthPage)},
		{"/readyz", "should clients be sent here", ready},
	}
	if o.Pprof {
		pages = append(pages, pprofPages()...)
	}
	mux := http.NewServeMux()
	if o.Status != nil {
		in := newEntry(o.Token, o.Loopback)
		show := in.page(htmlPage(http.StatusOK, statusHTML))
		pages = append([]page{
			{"/status", "the status, for people", show},
			{"/status.json", "the status, for programs", in.data(jsonPage(o.Status))},
		}, pages...)
		mux.Handle("POST /status", show)
	}
	for _, p := range pages {
		mux.Handle("GET "+p.path, p.handler)
	}
	mux.Handle("GET /{$}", indexPage(pages, o.Status != nil))
	return guard(mux)
}

// guard sets what every answer of this server has: it is never cached, and never
// taken for something else than it says.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

func metricsPage(o Options) http.Handler {
	return promhttp.HandlerFor(o.Metrics.Gatherer(), promhttp.HandlerOpts{
		ErrorLog:            slog.NewLogLogger(o.Log.Handler(), slog.LevelError),
		ErrorHandling:       promhttp.ContinueOnError,
		MaxRequestsInFlight: 4, // scrapes, not clients
	})
}

func pprofPages() []page {
	return []page{
		{"/debug/pprof/", "profiles of the process", http.HandlerFunc(pprof.Index)},
		{"/debug/pprof/cmdline", "", http.HandlerFunc(pprof.Cmdline)},
		{"/debug/pprof/profile", "", http.HandlerFunc(pprof.Profile)},
		{"/debug/pprof/symbol", "", http.HandlerFunc(pprof.Symbol)},
		{"/debug/pprof/trace", "", http.HandlerFunc(pprof.Trace)},
	}
}

// indexPage lists the pages; a browser gets the status instead.
func indexPage(pages []page, status bool) http.Handler {
	text := "tunic\n\n"
	for _, p := range pages {
		if p.about != "" {
			text += fmt.Sprintf("%-14s %s\n", p.path, p.about)
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Vary", "Accept")
		if status && strings.Contains(r.Header.Get("Accept"), "text/html") {
			http.Redirect(w, r, "/status", http.StatusFound)
			return
		}
		plain(w, http.StatusOK, text)
	})
}

func healthPage(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok\n") }

// plain answers with text.
func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}
