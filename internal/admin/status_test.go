package admin

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"tunic/internal/status"
	"tunic/internal/usage"
)

// nothing is a source of a tunic that protects nothing.
type nothing struct{}

func (nothing) Warnings() []status.Warning                    { return nil }
func (nothing) Limit() int                                    { return 100 }
func (nothing) Working() bool                                 { return false }
func (nothing) Protection(context.Context) *status.Protection { return nil }

const testToken = "0123456789abcdef0123"

// statusOptions are those of a server that shows its status.
func statusOptions(token string, loopback bool) Options {
	o := testOptions()
	o.Token, o.Loopback = token, loopback
	o.Status = status.New(status.Options{
		Version: "v1", Metrics: o.Metrics, Source: nothing{}, Ready: o.Ready, Draining: o.Draining, Usage: usage.NewTop(5), Refused: new(usage.Refused),
	})
	return o
}

// TestEntry: who gets to see the status, and who is told what.
func TestEntry(t *testing.T) {
	bearerOf := func(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }
	for _, c := range []struct {
		name, token  string
		loopback     bool
		method, path string
		host         string
		header       http.Header
		status       int
		says         string
	}{
		{"loopback", "", true, "GET", "/status.json", "127.0.0.1:9307", nil, 200, `"format": 1`},
		{"loopback, page", "", true, "GET", "/status", "localhost:9307", nil, 200, "<title>tunic status</title>"},
		{"loopback of IPv6", "", true, "GET", "/status.json", "[::1]:9307", nil, 200, `"format": 1`},
		{"loopback, without a port", "", true, "GET", "/status.json", "[::1]", nil, 200, `"format": 1`},
		{"a name that resolves to loopback", "", true, "GET", "/status.json", "evil.example:9307", nil, 403, "--admin-token-file"},
		{"any address, no token", "", false, "GET", "/status.json", "127.0.0.1:9307", nil, 403, "--admin-token-file"},
		{"any address, no token, page", "", false, "GET", "/status", "10.0.0.1:9307", nil, 403, "--admin-token-file"},
		{"any address, no token, a guess", "", false, "GET", "/status.json", "10.0.0.1:9307", bearerOf(""), 403, "--admin-token-file"},
		{"token", testToken, false, "GET", "/status.json", "10.0.0.1:9307", bearerOf(testToken), 200, `"format": 1`},
		{"token, page", testToken, false, "GET", "/status", "10.0.0.1:9307", bearerOf(testToken), 200, "status.json"},
		{"no token given", testToken, false, "GET", "/status.json", "10.0.0.1:9307", nil, 401, "Bearer"},
		{"no token given, loopback", testToken, true, "GET", "/status.json", "127.0.0.1:9307", nil, 401, "Bearer"},
		{"wrong token", testToken, false, "GET", "/status.json", "10.0.0.1:9307", bearerOf(testToken + "x"), 401, "Bearer"},
		{"empty token", testToken, false, "GET", "/status.json", "10.0.0.1:9307", bearerOf(""), 401, "Bearer"},
		{"wrong token, page", testToken, false, "GET", "/status?token=wrong", "10.0.0.1:9307", nil, 401, wrongHTML},
		{"no token given, page", testToken, false, "GET", "/status", "10.0.0.1:9307", nil, 401, "<!--WRONG-->\n<form"},
		{"a cookie of somebody's", testToken, false, "GET", "/status", "10.0.0.1:9307", http.Header{"Cookie": {"tunic_status=" + testToken}}, 401, "<form"},
		{"metrics", testToken, false, "GET", "/metrics", "10.0.0.1:9307", nil, 200, "go_goroutines"},
		{"probe", testToken, false, "GET", "/readyz", "10.0.0.1:9307", nil, 200, "ready"},
		{"metrics without a token", "", false, "GET", "/metrics", "10.0.0.1:9307", nil, 200, "go_goroutines"},
		{"a browser at the front door", testToken, false, "GET", "/", "10.0.0.1:9307", http.Header{"Accept": {"text/html,*/*"}}, 302, ""},
		{"a program at the front door", testToken, false, "GET", "/", "10.0.0.1:9307", nil, 200, "/status.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(c.method, c.path, nil)
			r.Host = c.host
			if c.header != nil {
				r.Header = c.header
			}
			w := httptest.NewRecorder()
			newPages(statusOptions(c.token, c.loopback)).ServeHTTP(w, r)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
				t.Errorf("got %d %q, want %d and %q", w.Code, w.Body.String(), c.status, c.says)
			}
			if w.Code != 200 && strings.Contains(w.Body.String(), testToken) {
				t.Error("the answer has the token")
			}
		})
	}
}

// TestCookie: a browser that has shown the token once, in a form or an address, is known by a
// cookie that scripts and other sites do not get, and that is not the token.
func TestCookie(t *testing.T) {
	pages := newPages(statusOptions(testToken, false))
	for _, r := range []*http.Request{
		httptest.NewRequest(http.MethodGet, "/status?token="+testToken, nil),
		httptest.NewRequest(http.MethodPost, "/status", strings.NewReader(url.Values{"token": {testToken}}.Encode())),
	} {
		if r.Method == http.MethodPost {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		cookies := w.Result().Cookies()
		if w.Code != 200 || len(cookies) != 1 {
			t.Fatalf("%s: %d, %v", r.Method, w.Code, cookies)
		}
		if c := cookies[0]; !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || strings.Contains(c.Value, testToken) {
			t.Errorf("%s: the cookie is %v", r.Method, c)
		}
		for _, path := range []string{"/status", "/status.json"} {
			again := httptest.NewRequest(http.MethodGet, path, nil)
			again.AddCookie(cookies[0])
			w := httptest.NewRecorder()
			if pages.ServeHTTP(w, again); w.Code != 200 {
				t.Errorf("%s with the cookie: %d", path, w.Code)
			}
			w = httptest.NewRecorder()
			if newPages(statusOptions(testToken, false)).ServeHTTP(w, again); w.Code != 401 {
				t.Errorf("%s at another process: %d", path, w.Code)
			}
		}
	}
}

// TestPagesAreSelfContained: a page loads nothing, and nothing in it runs but what was put there.
func TestPagesAreSelfContained(t *testing.T) {
	for name, html := range map[string]string{"status": statusHTML, "login": loginHTML, "in": inHTML} {
		for _, loads := range []string{"src=", "://", "<link", "@import", "url(", "innerHTML", "onclick", `style="`} {
			if strings.Contains(strings.ReplaceAll(html, "http://www.w3.org/2000/svg", ""), loads) {
				t.Errorf("%s has %s", name, loads)
			}
		}
		w := httptest.NewRecorder()
		htmlPage(200, html).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy is %s", name, policy)
		}
		if n := strings.Count(html, "<script"); n > 1 || n == 1 && !regexp.MustCompile(`script-src 'sha256-[A-Za-z0-9+/]{43}='`).MatchString(policy) {
			t.Errorf("%s: %d scripts, and the policy is %s", name, n, policy)
		}
	}
}

// TestJSONParameters: what a request asks for is kept within bounds.
func TestJSONParameters(t *testing.T) {
	o := statusOptions("", true)
	for _, query := range []string{"", "?tables=-5", "?tables=99999999999999999999&templates=x", "?search=" + strings.Repeat("x", 1000)} {
		r := httptest.NewRequest(http.MethodGet, "/status.json"+query, nil)
		r.Host = "127.0.0.1"
		w := httptest.NewRecorder()
		newPages(o).ServeHTTP(w, r)
		var s status.Snapshot
		if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil || s.Format != status.Format || s.Health.State != status.Ready {
			t.Errorf("%s: %d %v", query, w.Code, err)
		}
	}
}
