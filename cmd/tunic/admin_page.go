package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"

	"tunic/internal/sqlerr"
)

// adminPage is a page at the admin address of a tunic that runs.
type adminPage struct {
	address string // as it was given
	url     string
	token   string // "" for none
}

// newAdminPage is the page at a path, which may have a query behind it. An address that stands for all of
// a machine is asked over loopback.
func newAdminPage(address, path string) (*adminPage, error) {
	host, port, err := net.SplitHostPort(address)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || n == 0 {
		return nil, &sqlerr.StartError{
			Code: sqlerr.CodeBadValue, Setting: "--admin", Problem: strconv.Quote(address) + " is not HOST:PORT",
			Fix: "give it as HOST:PORT, with the port that tunic listens on",
		}
	}
	return &adminPage{address: address, url: "http://" + net.JoinHostPort(reachable(host), port) + path}, nil
}

// reachable is the host to connect to for one that somebody listens on: loopback for one that stands for all of a machine.
func reachable(host string) string {
	switch ip := net.ParseIP(host); {
	case host == "", ip.Equal(net.IPv4zero):
		return "127.0.0.1"
	case ip.Equal(net.IPv6unspecified):
		return "::1"
	}
	return host
}

// get is the answer's HTTP status and text, of which it reads so many bytes at most. Proxies are not used:
// tunic is on this machine, or near it. An error is context.DeadlineExceeded, or says what hindered the
// question without the URL, which net/http puts before it.
func (p *adminPage) get(ctx context.Context, bytesMax int64) (code int, text []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url, http.NoBody)
	if err != nil {
		return 0, nil, reasonOf(err)
	}
	if p.token != "" {
		request.Header.Set("Authorization", "Bearer "+p.token)
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // the token goes nowhere else
	}
	answer, err := client.Do(request)
	if err != nil {
		return 0, nil, reasonOf(err)
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	text, err = io.ReadAll(io.LimitReader(answer.Body, bytesMax))
	return answer.StatusCode, text, err
}

// reasonOf is an error of net/http's without the URL.
func reasonOf(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}
