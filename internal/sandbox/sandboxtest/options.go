package sandboxtest

import (
	"io"
	"strings"

	"tunic/internal/sandbox"
)

// Option is one way in which a server differs from the plain one.
type Option func(*settings)

// settings are all options of a server.
type settings struct {
	sandbox.Options
	copy int
}

// Args gives the server program more options; the last one of a name wins.
func Args(args ...string) Option {
	return func(s *settings) { s.Args = append(s.Args, args...) }
}

// Volatile is for tests that write much and never kill their server: commits are
// not even handed to the operating system at once.
func Volatile(s *settings) { Args("--innodb-flush-log-at-trx-commit=0")(s) }

// TLS makes the server offer TLS, with a certificate of its own CA.
func TLS(s *settings) { s.TLS = true }

// Dir has the server's files in a folder, for servers that no other test has (Own).
func Dir(path string) Option {
	return func(s *settings) { s.Dir = path }
}

// Copy tells servers apart that are equal otherwise. A server without it is copy 0.
func Copy(n int) Option {
	return func(s *settings) { s.copy = n }
}

// Log sends the server's error log to w. It makes no other server: where one runs
// already, w is not used.
func Log(w io.Writer) Option {
	return func(s *settings) { s.Log = w }
}

func collect(options []Option) settings {
	s := settings{Options: sandbox.Options{NoSync: true}}
	for _, o := range options {
		o(&s)
	}
	return s
}

// identity is what tells one shared server from another.
type identity struct {
	flavor sandbox.Flavor
	args   string
	tls    bool
	copy   int
}

func (s *settings) identity(flavor sandbox.Flavor) identity {
	return identity{flavor: flavor, args: strings.Join(s.Args, "\x00"), tls: s.TLS, copy: s.copy}
}
