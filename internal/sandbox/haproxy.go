package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// HAProxyOptions says how to run HAProxy as a plain TCP relay.
type HAProxyOptions struct {
	Backend string // "host:port" or "unix:path" of the database server
	Server  string // more options of the server's line in its configuration
	// Config is the whole configuration, in place of one for Backend, with "@LISTEN@" for where
	// clients connect.
	Config string
	Dir    string    // folder of its configuration; "" for a temporary one
	Log    io.Writer // receives what it writes; may be nil
}

// haProxyConfig relays TCP and does nothing else: what any hop costs. The limits
// leave room for a thousand clients and for idle ones.
const haProxyConfig = `global
    maxconn 4000
defaults
    mode tcp
    maxconn 4000
    backlog 4096
    timeout connect 10s
    timeout client 1h
    timeout server 1h
listen relay
    bind %s
    server database %s %s
`

// StartHAProxy runs HAProxy in TCP mode before a database server, and waits until
// a client that connects is greeted. The context bounds the start, not the life
// of the process.
func StartHAProxy(ctx context.Context, o HAProxyOptions) (*Proc, error) {
	ctx, cancel := context.WithTimeout(ctx, StartLimit)
	defer cancel()
	program, err := findProgram("haproxy", "haproxy")
	if err != nil {
		return nil, err
	}
	dir, err := openFolder(o.Dir, "haproxy")
	if err != nil {
		return nil, err
	}
	p := &Proc{Dir: dir.path, folder: dir}
	if err := p.relay(ctx, program, o); err != nil {
		return nil, errors.Join(err, dir.release())
	}
	return p, nil
}

func (p *Proc) relay(ctx context.Context, program string, o HAProxyOptions) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	p.Addr = loopback(port)
	backend := o.Backend
	if path, ok := strings.CutPrefix(backend, "unix:"); ok {
		backend = "unix@" + path
	}
	file := p.folder.file("haproxy.cfg")
	config := fmt.Sprintf(haProxyConfig, p.Addr, backend, o.Server)
	if o.Config != "" {
		config = strings.ReplaceAll(o.Config, "@LISTEN@", p.Addr)
	}
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		return err
	}
	// -db stays in the foreground.
	args := []string{"-db", "-f", file}
	return p.launch(ctx, command{path: program, args: args, dir: p.Dir, log: o.Log}, greeted(p.Addr))
}
