package admin

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	_ "embed" // the pages
	"encoding/hex"
	"net"
	"net/http"
	"strings"
)

//go:embed page/login.html
var loginHTML string

//go:embed page/in.html
var inHTML string

// entry lets people to the status. It tells of tables and statements, which /metrics and the
// probes do not.
//
// With a token everybody needs it. Without one only requests to a loopback address are
// answered, and only if they say so in their Host: a page of somebody's that has its own
// name resolve to 127.0.0.1 cannot read it in an operator's browser.
type entry struct {
	token    [sha256.Size]byte
	hasToken bool
	// pass is what a browser has for a cookie once it has shown the token. It is another one
	// in each process.
	pass     string
	loopback bool
}

func newEntry(token string, loopback bool) *entry {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	e := &entry{token: sha256.Sum256([]byte(token)), hasToken: token != "", loopback: loopback}
	mac := hmac.New(sha256.New, random[:])
	mac.Write(e.token[:])
	e.pass = hex.EncodeToString(mac.Sum(nil))
	return e
}

const (
	cookieName   = "tunic_status"
	formBytesMax = 4 << 10
	//nolint:gosec // it has no token in it
	textNoToken   = "403: the status needs a token, as this address is not a loopback one.\nStart tunic with --admin-token-file FILE, a file of mode 0600 with the token in one line of 16 characters or more, or with --admin 127.0.0.1:PORT.\n"
	textHost      = "403: without a token the status is shown to requests for 127.0.0.1, [::1] or localhost only.\nAsk for it by such an address, or start tunic with --admin-token-file FILE.\n"
	textWrong     = "401: the token is missing or wrong.\nSend it as \"Authorization: Bearer TOKEN\"; it is in the file of --admin-token-file.\n"
	challenge     = `Bearer realm="tunic"`
	bearer        = "Bearer "
	parameterName = "token"
	// What the form says to a wrong token, and where.
	wrongPlace = "<!--WRONG-->"
	wrongHTML  = `<p class="wrong" role="alert">That is not the token.</p>`
)

// page guards a page for people.
func (e *entry) page(next http.Handler) http.Handler {
	login, in := htmlPage(http.StatusUnauthorized, loginHTML), htmlPage(http.StatusOK, inHTML)
	again := htmlPage(http.StatusUnauthorized, strings.Replace(loginHTML, wrongPlace, wrongHTML, 1))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := r.URL.Query().Get(parameterName)
		if r.Method == http.MethodPost {
			r.Body = http.MaxBytesReader(w, r.Body, formBytesMax)
			given = r.PostFormValue(parameterName)
		}
		switch {
		case !e.hasToken:
			e.open(next, w, r)
		case given != "" && e.is(given):
			//nolint:gosec // without TLS nothing else is possible
			http.SetCookie(w, &http.Cookie{Name: cookieName, Value: e.pass, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil})
			in.ServeHTTP(w, r)
		case given == "" && e.known(r):
			next.ServeHTTP(w, r)
		case given != "":
			again.ServeHTTP(w, r)
		default:
			login.ServeHTTP(w, r)
		}
	})
}

// data guards what programs read.
func (e *entry) data(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !e.hasToken:
			e.open(next, w, r)
		case e.known(r):
			next.ServeHTTP(w, r)
		default:
			w.Header().Set("WWW-Authenticate", challenge)
			plain(w, http.StatusUnauthorized, textWrong)
		}
	})
}

// open answers without a token, where that is safe.
func (e *entry) open(next http.Handler, w http.ResponseWriter, r *http.Request) {
	switch {
	case !e.loopback:
		plain(w, http.StatusForbidden, textNoToken)
	case !isLoopback(r.Host):
		plain(w, http.StatusForbidden, textHost)
	default:
		next.ServeHTTP(w, r)
	}
}

// is reports whether a text is the token, in a time that does not tell how much of it is.
func (e *entry) is(given string) bool {
	sum := sha256.Sum256([]byte(given))
	return subtle.ConstantTimeCompare(sum[:], e.token[:]) == 1
}

// known reports whether a request shows the token, or the cookie of one that has.
func (e *entry) known(r *http.Request) bool {
	if given, has := strings.CutPrefix(r.Header.Get("Authorization"), bearer); has {
		return e.is(given)
	}
	cookie, err := r.Cookie(cookieName)
	return err == nil && subtle.ConstantTimeCompare([]byte(cookie.Value), []byte(e.pass)) == 1
}

// isLoopback reports whether a host, perhaps with a port, is this machine for itself alone.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip.IsLoopback()
}
