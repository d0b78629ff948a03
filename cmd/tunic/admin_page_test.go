package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tunic/internal/sqlerr"
)

// TestAdminAddress: every command takes the same addresses, and asks the same ones.
func TestAdminAddress(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:9307": "127.0.0.1:9307/readyz", "db.example:1": "db.example:1/readyz", "[::1]:9307": "[::1]:9307/readyz",
		"0.0.0.0:9307": "127.0.0.1:9307/readyz", ":9307": "127.0.0.1:9307/readyz", "[::]:9307": "[::1]:9307/readyz",
		"nowhere": "", "127.0.0.1:": "", "127.0.0.1:0": "", "": "", "unix:/run/tunic": "",
	} {
		page, err := newAdminPage(address, "/readyz")
		if want != "" {
			if err != nil || page.url != "http://"+want {
				t.Errorf("%s: %v, %v; want %s", address, page, err, want)
			}
		} else if e, ok := errors.AsType[*sqlerr.StartError](err); !ok || e.Code != sqlerr.CodeBadValue {
			t.Errorf("%s: %v, want TUNIC-1003", address, err)
		}
	}
}

// TestAdminPage: the token goes to the address that was given and nowhere else, and a tunic that says
// nothing is told from one that is not there.
func TestAdminPage(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("asked elsewhere, with %q", r.Header) }))
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("no token: %q", r.Header)
		}
		http.Redirect(w, r, elsewhere.URL, http.StatusFound)
	}))
	defer server.Close()
	page, err := newAdminPage(server.Listener.Addr().String(), "/status.json")
	if err != nil {
		t.Fatal(err)
	}
	page.token = "secret"
	if code, _, err := page.get(t.Context(), 100); err != nil || code != http.StatusFound {
		t.Errorf("%d, %v", code, err)
	}

	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if page, err = newAdminPage(silent.Addr().String(), "/readyz"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ says, want string }{{"silent", "in time"}, {"away", "nothing answers"}} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		_, err := healthOf(ctx, page)
		cancel()
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "http://") {
			t.Errorf("%s: %v", c.says, err)
		}
		_ = silent.Close()
	}
}
