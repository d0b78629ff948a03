package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"tunic/internal/config"
	"tunic/internal/crypt"
	"tunic/internal/ddl"
	"tunic/internal/keys"
	"tunic/internal/ledger"
	"tunic/internal/migrate"
	"tunic/internal/policy"
	"tunic/internal/rotation"
	"tunic/internal/server"
	"tunic/internal/sqlerr"
)

// rotateCmd brings what is stored under a new master key, or has another key file wrap those
// that there are, beside the tunics that serve.
type rotateCmd struct {
	Tables []string `arg:"" optional:"" name:"table" help:"Tables to bring to the new key, as schema.table; all protected tables if none is given."`

	Layers   bool `help:"Give layers new keys as well. For all tables only."`
	DryRun   bool `help:"Print what would be done, and do nothing."`
	MaxRate  int  `placeholder:"ROWS" help:"Rows a second to go through at most."`
	Destroy  bool `help:"Destroy the master keys that nothing needs, and do nothing else."`
	Families bool `help:"Bring columns into the families that annotations, rules and the policy say now, and do nothing else."`

	Rewrap               string `placeholder:"FILE" help:"Replace the key file by this one, made by tunic keygen, and do nothing else. No data is touched."`
	RewrapPassphraseFile string `placeholder:"FILE" help:"File with the passphrase of --rewrap."`

	JSON     bool         `name:"json" help:"Print what was done as JSON."`
	Quiet    bool         `short:"q" help:"Show no progress, and log warnings and errors only."`
	Config   string       `placeholder:"FILE" help:"TOML file with settings, that of tunic serve."`
	Settings kong.Plugins `embed:""`
}

// Help is shown by `tunic rotate --help`.
func (c *rotateCmd) Help() string {
	return `Makes a new master key, and encrypts all protected values again under it, while clients read and write through any number of tunics. At the end it counts the rows that are still under older keys. It can be stopped or killed at any point, and continues when it is run again: it makes a new key only when nothing is left to do for the newest one.

    TUNIC_SERVICE_PASSWORD=... tunic rotate --backend 127.0.0.1:3306 \
        --service-user tunic_service --key tunic.key

With --rewrap a new key file replaces the old one, which then opens nothing. That takes a moment. Running tunics go on, and need the new file at their next start.

    tunic keygen --project ID --out new.key
    tunic rotate --key tunic.key --rewrap new.key

Equality and order layers keep their keys, unless --layers is given: then each gets a shadow column under a new key, which is backfilled, indexed and swapped with the old one. Layers below a primary or foreign key keep theirs, and so do layers that are compared with those. The report says for each table what is left under an older key.

With --destroy it destroys the older master keys that nothing needs, lists what needs the others, and does nothing else; with --dry-run it only lists. Backups from before still need the old keys.

    tunic rotate --key tunic.key
    tunic rotate --key tunic.key --destroy

With --families it brings columns of protected tables into the families that annotations, rules and policy.families say now, or out of them, and does nothing else: so it puts columns of tables that were made before into families. Give it the configuration of tunic serve. Each such column is encrypted again, under the newest key, while clients go on; layers stay as they are. The CHECK against plaintext goes; ALTER TABLE … FORCE, ALGORITHM=COPY through tunic adds it again. Until it has ended, definitions of the table are refused; it can be stopped or killed, and continues when it is run again.

    tunic rotate --config /etc/tunic/tunic.toml --families --dry-run

Exit status: 0 nothing is left under older keys; 10 something is, and is listed; 2 a wrong flag, or a table that is not protected; 4 a database server that cannot be reached; 5 a key file; 6 the service account; 8 the ledger of protected tables, another tunic with another key file, or another rotation; 1 anything else, such as an end by a signal.`
}

// errRotationCut is an end by a signal.
var errRotationCut = errors.New("ended by a signal; begun again, it goes on")

// Run does what was asked for.
func (c *rotateCmd) Run(command *kong.Context) error {
	return besideServing(command, c.configuration, func(ctx context.Context, b *beside) error {
		work := &rotating{rotateCmd: c, command: command, database: b.database, key: b.key, log: b.log, screen: b.screen, options: b.database.Ledger(b.key)}
		do := work.rotate
		switch {
		case c.Rewrap != "":
			do = work.rewrap
		case c.Destroy:
			do = work.destroy
		case c.Families:
			do = work.families
		case c.DryRun:
			do = work.look
		}
		return work.told(ctx, do(ctx))
	})
}

// configuration reads the settings; a key has to be among them.
func (c *rotateCmd) configuration(command *kong.Context) (*config.Config, error) {
	switch {
	case c.Families && (c.Layers || c.Rewrap != "" || c.Destroy):
		return nil, &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "--families goes with none of --layers, --rewrap, --destroy"}
	case c.Layers && (c.Rewrap != "" || c.Destroy || len(c.Tables) > 0):
		return nil, &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "--layers goes with all tables, and so with no table, and not with --rewrap or --destroy"}
	case c.Rewrap != "" && (c.DryRun || c.Destroy || len(c.Tables) > 0 || c.MaxRate != 0):
		return nil, &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "--rewrap goes with no table, and with none of --dry-run, --destroy, --max-rate"}
	case c.Destroy && (len(c.Tables) > 0 || c.MaxRate != 0):
		return nil, &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "--destroy is of master keys, and goes with no table and not with --max-rate"}
	case c.MaxRate < 0:
		return nil, &sqlerr.StartError{Code: sqlerr.CodeUsage, Problem: "--max-rate is a number of rows"}
	}
	return settingsBeside(command, c.Config, "layers", "dry-run", "max-rate", "destroy", "families", "rewrap", "rewrap-passphrase-file", "json", "quiet")
}

// rotating is the command under way.
type rotating struct {
	*rotateCmd
	command  *kong.Context
	database *server.Database
	key      *keys.KEK
	log      *slog.Logger
	screen   *screen
	options  ledger.Options
}

// told gives an error its code.
func (w *rotating) told(ctx context.Context, err error) error {
	if _, coded := errors.AsType[*sqlerr.StartError](err); coded || err == nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return errRotationCut
	case errors.Is(err, ledger.ErrNone), errors.Is(err, rotation.ErrUnknown):
		return sqlerr.AuditNothing(err)
	case errors.Is(err, rotation.ErrHolders):
		return sqlerr.RotationHolders(err)
	case errors.Is(err, rotation.ErrUnderway):
		return sqlerr.RotationUnderway(err)
	}
	if of, ok := errors.AsType[*rotation.TableError](err); ok {
		return failedOf([]rotation.Table{{Schema: of.Schema, Name: of.Name, Failed: of.Err}})
	}
	return w.database.LedgerError(err)
}

// rewrap has another key file wrap the master keys.
func (w *rotating) rewrap(ctx context.Context) error {
	next, err := loadNextKey(ctx, config.Key{File: w.Rewrap, PassphraseFile: w.RewrapPassphraseFile})
	if err != nil {
		return err
	}
	defer next.Wipe()
	held, err := ledger.Open(ctx, w.options)
	if errors.Is(err, keys.ErrOtherKey) { // done before, perhaps, and killed before it was said
		o := w.options
		o.KEK = next
		if _, failed := ledger.Inspect(ctx, o); failed == nil {
			return w.wraps(next)
		}
	}
	if err != nil {
		return err
	}
	defer held.Close()
	if next.ID() == w.key.ID() { // nothing of the old key may be said: it is the new one
		return w.wraps(next)
	}
	if project := held.Tree().Project(); !next.Project().Admits(project) {
		return &sqlerr.StartError{
			Code: sqlerr.CodeKeyProject, Setting: "--rewrap", Problem: w.Rewrap + " is for project " + next.Project().String(),
			Fix: "make one with tunic keygen --project " + project.String(),
		}
	}
	if err := held.Rewrap(ctx, next); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w.command.Stdout, rewrapText, next.ID(), w.Rewrap, w.key.ID())
	return err
}

// wraps says that nothing had to be done.
func (w *rotating) wraps(key *keys.KEK) error {
	_, err := fmt.Fprintf(w.command.Stdout, "Key %s in %s wraps the master keys already.\n", key.ID(), w.Rewrap)
	return err
}

const rewrapText = `Key %s in %s wraps the master keys from now on.

Key %s opens nothing of this database any more, but still opens its backups
from before. Tunics that run go on; give each the new file before it starts again.
`

// look prints what would be done.
func (w *rotating) look(ctx context.Context) error {
	plan, err := rotation.Look(ctx, w.options, w.Tables, w.Layers)
	if err != nil {
		return err
	}
	if w.JSON {
		return printJSON(w.command.Stdout, rotationOf(plan.Masters[0], plan.New, plan.Tables))
	}
	var b strings.Builder
	for i := range plan.Tables {
		t := &plan.Tables[i]
		fmt.Fprintf(&b, "%s.%s  epoch %d  about %s", t.Schema, t.Name, t.Epoch, plural(t.Rows, "row"))
		if t.Old > 0 {
			fmt.Fprintf(&b, ", %s of older epochs", grouped(t.Old))
		}
		b.WriteString("\n")
		hindranceLine(&b, t)
		if w.Layers && t.OldLayers > 0 {
			fmt.Fprintf(&b, "    %s would get new keys\n", plural(int64(t.OldLayers), "layer"))
		}
		if w.Layers {
			keepLines(&b, t)
		}
	}
	next := fmt.Sprintf("would go on for epoch %d", plan.Masters[0])
	if plan.New {
		next = "would make a new master key"
	}
	fmt.Fprintf(&b, "%s; tunic rotate %s\n", plural(int64(len(plan.Tables)), "table"), next)
	_, err = io.WriteString(w.command.Stdout, b.String())
	return err
}

// rotate does it.
func (w *rotating) rotate(ctx context.Context) error {
	held, err := ledger.Open(ctx, w.options)
	if err != nil {
		return err
	}
	defer held.Close()
	seals := new(crypt.Seals)
	defer addSeals(ctx, held, seals, w.log)
	bar := newBar(w.screen)
	r := w.rotation(held, seals)
	if !w.Quiet {
		r.Progress = func(p rotation.Progress) {
			if p.Layers {
				p.Table += " (layers)"
			}
			bar.show(p.Table, p.Done, p.Tables, p.Rows, p.Old)
		}
	}
	began := time.Now()
	report, err := r.Run(ctx)
	bar.close()
	if err != nil && len(report.Tables) == 0 {
		return err
	}
	return errors.Join(w.print(report, time.Since(began)), cmp.Or(err, w.leftOf(report)))
}

func (w *rotating) rotation(held *ledger.Ledger, seals *crypt.Seals) *rotation.Rotation {
	return &rotation.Rotation{
		DB: w.options.DB, Ledger: held, KEK: w.key.ID(), Tables: w.Tables, Layers: w.Layers, RateMax: w.MaxRate, Seals: seals,
		Definer: ddl.New(ddl.Options{DB: w.options.DB, Ledger: held, Policy: &policy.Policy{}, Flavor: w.database.Flavor, Seals: seals, Log: w.log}),
	}
}

// families brings columns into their families, or prints which would come into which.
func (w *rotating) families(ctx context.Context) error {
	rules, err := w.database.Policy()
	if err != nil {
		return err
	}
	held, err := ledger.Open(ctx, w.options)
	if err != nil {
		return err
	}
	defer held.Close()
	seals := new(crypt.Seals)
	defer addSeals(ctx, held, seals, w.log)
	r := w.rotation(held, seals)
	defer r.Definer.Close()
	r.Definer.SetPolicy(rules)
	bar := newBar(w.screen)
	if !w.Quiet {
		r.Progress = func(p rotation.Progress) { bar.show(p.Table+" (families)", p.Done, p.Tables, p.Rows, p.Old) }
	}
	do := r.Regroup
	if w.DryRun {
		do = r.LookAtFamilies
	}
	all, err := do(ctx)
	bar.close()
	if err != nil && len(all) == 0 {
		return err
	}
	return errors.Join(w.toldFamilies(all), err, leftOfFamilies(all))
}

// toldFamilies prints what was done, or would be.
func (w *rotating) toldFamilies(all []rotation.Grouped) error {
	if w.JSON {
		return printJSON(w.command.Stdout, groupedOf(all))
	}
	return printFamilies(w.command.Stdout, all, w.DryRun)
}

// leftOfFamilies is the error of tables whose columns are not in their families.
func leftOfFamilies(all []rotation.Grouped) error {
	var failed []rotation.Table
	for i := range all {
		t := &all[i]
		switch {
		case t.Failed != nil:
			failed = append(failed, rotation.Table{Schema: t.Schema, Name: t.Name, Failed: t.Failed})
		case t.Hindrance != rotation.None && len(t.Moves) > 0:
			return sqlerr.RotationLeft(t.Schema + "." + t.Name + ": " + string(t.Hindrance))
		}
	}
	return failedOf(failed)
}

// leftOf is the error of a rotation that has left something.
func (w *rotating) leftOf(r *rotation.Report) error {
	old := int64(0)
	for _, t := range r.Tables {
		old += t.Old
	}
	if failed := failedOf(r.Tables); failed != nil {
		return failed
	}
	if w.Layers && slices.ContainsFunc(r.Tables, func(t rotation.Table) bool { return t.Hindrance == rotation.Foreign }) {
		return sqlerr.RotationLeft("a stored value does not open, of which tunic verify tells")
	}
	kept := slices.ContainsFunc(r.Tables, func(t rotation.Table) bool { return !t.Gone && t.HasLayers && t.Layers < r.Epoch })
	switch {
	case r.Whole() && w.Layers && kept:
		return sqlerr.RotationLeft("layers keep older epochs")
	case r.Whole():
		return nil
	case old > 0:
		return sqlerr.RotationLeft(plural(old, "row") + " of older epochs left")
	}
	return sqlerr.RotationLeft("tables are written under older epochs")
}

// failedOf is the error of tables that have failed; nil if none has.
func failedOf(tables []rotation.Table) error {
	var failed []string
	fix := ""
	for i := range tables {
		if t := &tables[i]; t.Failed != nil {
			problem, way := failure(t)
			failed, fix = append(failed, t.Schema+"."+t.Name+": "+problem), way
		}
	}
	switch len(failed) {
	case 0:
		return nil
	case 1:
		return sqlerr.RotationFailed(failed[0], fix)
	}
	return sqlerr.RotationFailed(strings.Join(failed, "; "), "")
}

// failure says what has failed of a table, without what the server quotes, and what to do about it.
func failure(t *rotation.Table) (problem, fix string) {
	problem, fix, _ = migrate.Failure(t.Failed)
	return problem, fix
}

// print prints what was done.
func (w *rotating) print(r *rotation.Report, took time.Duration) error {
	if w.JSON {
		return printJSON(w.command.Stdout, rotationOf(r.Epoch, r.New, r.Tables))
	}
	var b strings.Builder
	sealed := int64(0)
	for i := range r.Tables {
		t := &r.Tables[i]
		sealed += t.Sealed
		if t.Gone {
			fmt.Fprintf(&b, "%s.%s  was dropped meanwhile\n", t.Schema, t.Name)
			continue
		}
		fmt.Fprintf(&b, "%s.%s  epoch %d  %s sealed anew, %s of older epochs left\n", t.Schema, t.Name, t.Epoch, plural(t.Sealed, "row"), grouped(t.Old))
		if t.Old > 0 || t.Epoch < r.Epoch {
			hindranceLine(&b, t)
		}
		if t.Epoch < r.Epoch && t.Hindrance == rotation.None && t.Failed == nil {
			fmt.Fprintf(&b, "    written under epoch %d still: begin again\n", t.Epoch)
		}
		if t.Failed != nil {
			problem, _ := failure(t)
			fmt.Fprintf(&b, "    failed: %s\n", problem)
		}
		if t.HasLayers && t.Layers < r.Epoch {
			fmt.Fprintf(&b, "    layers keep epoch %d\n", t.Layers)
		}
		if w.Layers {
			keepLines(&b, t)
		}
	}
	fmt.Fprintf(&b, "epoch %d: %s, %s, %s\n", r.Epoch, plural(int64(len(r.Tables)), "table"), plural(sealed, "row"), took.Round(time.Millisecond))
	_, err := io.WriteString(w.command.Stdout, b.String())
	return err
}

// keepLines say why layers keep their keys.
func keepLines(b *strings.Builder, t *rotation.Table) {
	for _, why := range t.LayersKeep {
		fmt.Fprintf(b, "    layers of columns: %s\n", why)
	}
}

func hindranceLine(b *strings.Builder, t *rotation.Table) {
	if t.Hindrance != rotation.None {
		fmt.Fprintf(b, "    %s\n", t.Hindrance)
	}
}
