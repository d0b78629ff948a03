package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tunic/internal/bench/document"
	"tunic/internal/sandbox"
)

// encryptWay is something that is done to the table while clients write it.
type encryptWay struct {
	name    string
	program string // that it needs, beside tunic
	quiet   bool   // nothing is done: it says what the clients get else
	foreign bool   // another tool does it
	// protects says that the table is protected afterwards, when it was plain.
	protects bool
	do       func(context.Context, *encryption) (report []byte, err error)
	after    func(context.Context, *encryption) error
}

// encryptWays are in the order in which they take turns: each leaves the table as the next
// one needs it.
var encryptWays = []encryptWay{
	{name: document.TargetQuietPlain, quiet: true, do: doNothing},
	{name: "native ALTER, ADD COLUMN", foreign: true, do: doNative, after: dropAdded},
	{name: "pt-online-schema-change, ADD COLUMN", program: "pt-online-schema-change", foreign: true, do: doPercona, after: dropAdded},
	{name: "tunic encrypt", protects: true, do: doEncrypt},
	{name: document.TargetQuietProtected, quiet: true, do: doNothing},
	{name: document.TargetDecrypt, do: doDecrypt},
}

func present(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

func doNothing(ctx context.Context, e *encryption) ([]byte, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(time.Duration(e.options.Seconds) * time.Second):
		return nil, nil
	}
}

// addColumn is what the others are asked for.
const addColumn = "ADD COLUMN extra INT NOT NULL DEFAULT 0"

// doNative has the server make the table anew in place: a column alone would be there in an
// instant, without a row of the table being looked at.
func doNative(ctx context.Context, e *encryption) ([]byte, error) {
	_, err := e.root.ExecContext(ctx, "ALTER TABLE "+encryptDatabase+".sbtest1 "+addColumn+", FORCE, ALGORITHM=INPLACE, LOCK=NONE")
	return nil, err
}

func dropAdded(ctx context.Context, e *encryption) error {
	_, err := e.root.ExecContext(ctx, "ALTER TABLE "+encryptDatabase+".sbtest1 DROP COLUMN extra")
	return err
}

// doPercona has the tool copy the table to another one by triggers.
func doPercona(ctx context.Context, e *encryption) ([]byte, error) {
	host, port := e.server.HostPort()
	return nil, e.command(ctx, nil, "pt-online-schema-change", "--execute", "--no-version-check", "--recursion-method", "none", "--no-check-replication-filters",
		"--alter", addColumn, "--user", "root", "--password", "root", fmt.Sprintf("h=%s,P=%s,D=%s,t=sbtest1", host, port, encryptDatabase))
}

func doEncrypt(ctx context.Context, e *encryption) ([]byte, error) {
	return e.tunicCommand(ctx, "encrypt")
}

func doDecrypt(ctx context.Context, e *encryption) ([]byte, error) {
	return e.tunicCommand(ctx, "decrypt")
}

// tunicCommand runs one of tunic's commands beside the tunic that serves. What is protected
// the comments of the columns say.
func (e *encryption) tunicCommand(ctx context.Context, verb string) ([]byte, error) {
	binary := e.options.TunicBinary
	var report strings.Builder
	err := e.command(ctx, &report, binary, verb, "--backend", e.server.Addr, "--service-user", sandbox.ServiceUser, "--key", filepath.Join(e.tunic.Dir, "key"),
		"--policy-default", "plain", "--json", "-q", encryptDatabase+".sbtest1")
	if err != nil {
		return nil, err
	}
	return json.RawMessage(strings.TrimSpace(report.String())), nil
}

// commandDelay is how long a program may keep its output open that was ended.
const commandDelay = 10 * time.Second

// command runs a program, whose output is taken; what it has to say of a failure is its error.
func (e *encryption) command(ctx context.Context, stdout *strings.Builder, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(cmd.Environ(), "TUNIC_SERVICE_PASSWORD="+sandbox.ServicePassword)
	var said, complaints strings.Builder
	if stdout == nil {
		stdout = &said
	}
	cmd.Stdout, cmd.Stderr = stdout, &complaints
	cmd.WaitDelay = commandDelay
	err := cmd.Run()
	if cmd.ProcessState != nil {
		e.used += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if err != nil {
		const enough = 600
		text := said.String() + complaints.String()
		return fmt.Errorf("%s: %w: %s", filepath.Base(program), err, text[max(len(text)-enough, 0):])
	}
	return nil
}
