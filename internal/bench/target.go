package bench

import (
	"context"
	"errors"
	"fmt"
	"io"

	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
	"tunic/internal/sandbox"
)

// Target is one way from the client to the server.
type Target struct {
	Name  string
	About string // one line for people
	open  func(context.Context, *bed) (*hop, error)

	// Optional says that a benchmark goes on without it where a program that it needs
	// cannot be had.
	Optional bool

	// lacks says why a workload cannot be had through it with so many threads, "" if it can;
	// nil where all can.
	lacks func(w matrix.Workload, threads int) string
}

// without says why the workload cannot be had through the target, "" if it can.
func (t Target) without(w matrix.Workload, threads int) string {
	if t.lacks == nil {
		return ""
	}
	return t.lacks(w, threads)
}

// Targets are all ways we know.
var Targets = []Target{
	{Name: document.TargetDirect, About: "straight to the server", open: openDirect},
	{Name: document.TargetHAProxy, About: "through HAProxy in TCP mode: what any hop costs", open: openHAProxy},
	{Name: document.TargetTunic, About: "through tunic, plain tables", open: openTunic},
	{
		Name: document.TargetProtected, open: openProtected,
		About: "through tunic, tables whose every column but the AUTO_INCREMENT one is protected; on a server of its own",
	},
	{
		Name: document.TargetApart, open: openApart,
		About: "the same with each of these columns sealed by itself (--policy-families apart); on a server of its own",
	},
	{
		Name: document.TargetTDE, open: openTDE, Optional: true,
		About: "straight to a server of its own that encrypts its files (file_key_management); left out where it cannot",
	},
	{
		Name: document.TargetShardingSphere, open: openShardingSphere, Optional: true, lacks: withoutTime,
		About: "through ShardingSphere-Proxy without a rule; left out where it is not installed",
	},
	{
		Name: document.TargetShardingSphereEncrypt, open: openShardingSphereEncrypt, Optional: true, lacks: withoutRule,
		About: "through ShardingSphere-Proxy that encrypts the columns that are protected (AES, equal values alike); on a server of its own",
	},
}

func targetsNamed(names []string) ([]Target, error) {
	return matrix.Pick("target", names, Targets, func(t Target) string { return t.Name })
}

// hop is an opened target.
type hop struct {
	addr   string          // where clients connect
	proc   *sandbox.Proc   // whose processor time and memory count; nil where nothing stands between
	server *sandbox.Server // that it leads to
	admin  string          // where it answers for profiles; "" if it does not

	// begin starts what has to know the tables, of databases in which they have been made;
	// until then clients would come to the server. nil where the target is there already.
	begin  func(ctx context.Context, databases []string) (*sandbox.Proc, error)
	failed error // why it could not begin

	// seal gives tables that have been made their stored form, where the target does not
	// when they are made through it; nil for all others.
	seal func(ctx context.Context, database string, tables []string) error
}

// pid returns 0 where there is no process.
func (h *hop) pid() int {
	if h.proc == nil {
		return 0
	}
	return h.proc.PID
}

// ended returns an error if the process is not there any more.
func (h *hop) ended() error {
	if h.proc == nil {
		return nil
	}
	select {
	case <-h.proc.Done():
	default:
		return nil
	}
	how := "exit status 0"
	if err := h.proc.Err(); err != nil {
		how = err.Error()
	}
	return fmt.Errorf("the hop has ended: %s", how)
}

func (h *hop) close() error {
	if h.proc == nil {
		return nil
	}
	return h.proc.Stop()
}

// bed is what targets are opened on.
type bed struct {
	server      *sandbox.Server   // of every target that needs none of its own
	others      []*sandbox.Server // of the ones that do
	tunicBinary string
	flags       []string  // of the servers
	profile     bool      // tunics answer for profiles
	log         io.Writer // what the processes print
}

// maxConnections is more than any case's threads.
const maxConnections = 1024

// serverFlags make the comparison about the hop: everything fits in memory, a
// commit does not wait for the disk (the log is written but not synced, as in the
// field's own comparisons), the log is large enough that no run meets a checkpoint
// the others do not, and nothing is logged that a plain set-up would not log.
var serverFlags = []string{
	"--innodb-flush-log-at-trx-commit=2",
	"--innodb-buffer-pool-size=512M",
	"--innodb-log-file-size=512M",
	"--skip-log-bin",
	fmt.Sprintf("--max-connections=%d", maxConnections),
	fmt.Sprintf("--back-log=%d", maxConnections),
	fmt.Sprintf("--thread-cache-size=%d", maxConnections),
	"--table-open-cache=8192",
	"--max-prepared-stmt-count=1000000",
}

// openBed starts the server.
func openBed(ctx context.Context, tunicBinary string, log io.Writer, flags []string) (*bed, error) {
	b := &bed{tunicBinary: tunicBinary, flags: flags, log: log}
	var err error
	b.server, err = b.startServer(ctx)
	if err != nil {
		return nil, err
	}
	return b, nil
}

func (b *bed) startServer(ctx context.Context) (*sandbox.Server, error) {
	return sandbox.StartMariaDB(ctx, sandbox.Options{Args: b.flags, Log: b.log})
}

// startOther starts a server for a target that needs one of its own.
func (b *bed) startOther(ctx context.Context, encryptFiles bool) (*sandbox.Server, error) {
	server, err := sandbox.StartMariaDB(ctx, sandbox.Options{Args: b.flags, Log: b.log, EncryptFiles: encryptFiles})
	if err == nil {
		b.others = append(b.others, server)
	}
	return server, err
}

// close ends the servers.
func (b *bed) close() error {
	err := b.server.Stop()
	for _, other := range b.others {
		err = errors.Join(err, other.Stop())
	}
	return err
}

// openTargets opens all of them; all stay open, an idle one costs nothing. What is
// optional and cannot be had is left out, with the reason.
func (b *bed) openTargets(ctx context.Context, targets []Target) (hops map[string]*hop, skipped []string, err error) {
	hops = map[string]*hop{}
	for _, t := range targets {
		h, err := t.open(ctx, b)
		switch {
		case t.Optional && errors.Is(err, sandbox.ErrUnavailable):
			skipped = append(skipped, fmt.Sprintf("target %s is left out: %v", t.Name, err))
		case err != nil:
			return nil, nil, errors.Join(fmt.Errorf("target %s: %w", t.Name, err), closeHops(hops))
		default:
			hops[t.Name] = h
		}
	}
	return hops, skipped, nil
}

func closeHops(hops map[string]*hop) error {
	var all error
	for _, h := range hops {
		all = errors.Join(all, h.close())
	}
	return all
}

func openDirect(_ context.Context, b *bed) (*hop, error) {
	return &hop{addr: b.server.Addr, server: b.server}, nil
}

func openHAProxy(ctx context.Context, b *bed) (*hop, error) {
	p, err := sandbox.StartHAProxy(ctx, sandbox.HAProxyOptions{Backend: b.server.Addr})
	return hopOf(p, b.server, err)
}

func openTunic(ctx context.Context, b *bed) (*hop, error) {
	return b.startTunic(ctx, b.server, sandbox.TunicOptions{})
}

func openProtected(ctx context.Context, b *bed) (*hop, error) {
	server, err := b.startOther(ctx, false)
	if err != nil {
		return nil, err
	}
	return b.startTunic(ctx, server, sandbox.TunicOptions{Protect: true})
}

func openApart(ctx context.Context, b *bed) (*hop, error) {
	server, err := b.startOther(ctx, false)
	if err != nil {
		return nil, err
	}
	return b.startTunic(ctx, server, sandbox.TunicOptions{Protect: true, Args: []string{"--policy-families", "apart"}})
}

func openTDE(ctx context.Context, b *bed) (*hop, error) {
	server, err := b.startOther(ctx, true)
	if err != nil {
		return nil, err
	}
	return &hop{addr: server.Addr, server: server}, nil
}

func (b *bed) startTunic(ctx context.Context, server *sandbox.Server, o sandbox.TunicOptions) (*hop, error) {
	o.Binary, o.Backend, o.Log = b.tunicBinary, server.Addr, b.log
	if b.profile {
		o.Args = append(o.Args, "--admin-pprof")
	}
	p, err := sandbox.StartTunic(ctx, o)
	h, err := hopOf(p, server, err)
	if err == nil && b.profile {
		h.admin = p.AdminAddr
	}
	return h, err
}

func hopOf(p *sandbox.Proc, server *sandbox.Server, err error) (*hop, error) {
	if err != nil {
		return nil, err
	}
	return &hop{addr: p.Addr, proc: p, server: server}, nil
}
