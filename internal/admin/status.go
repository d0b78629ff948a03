package admin

import (
	"crypto/sha256"
	_ "embed" // the pages
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"tunic/internal/status"
)

//go:embed page/status.html
var statusHTML string

// jsonPage is /status.json.
func jsonPage(g *status.Gatherer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		_ = e.Encode(g.Gather(r.Context(), askOf(r))) // who asks may have left
	})
}

// askOf is what a request asks for; what cannot be read asks for the usual.
func askOf(r *http.Request) status.Ask {
	query := r.URL.Query()
	number := func(name string) int {
		if n, err := strconv.Atoi(query.Get(name)); err == nil {
			return n
		}
		return status.ListDefault
	}
	return status.Ask{Templates: number("templates"), Tables: number("tables"), Search: query.Get("search")}
}

// htmlPage is a page that is complete in itself: it loads nothing, runs and is styled by
// what is in it and nothing else, and talks to this server only.
func htmlPage(code int, html string) http.Handler {
	policy := "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
		"script-src " + hashOf(html, "script") + "; style-src " + hashOf(html, "style")
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.WriteHeader(code)
		_, _ = w.Write([]byte(html))
	})
}

// hashOf is the source of the one element of a name, as a Content-Security-Policy lets it
// pass; 'none' if there is no such element.
func hashOf(html, element string) string {
	_, rest, found := strings.Cut(html, "<"+element+">")
	if !found {
		return "'none'"
	}
	text, _, _ := strings.Cut(rest, "</"+element+">")
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
