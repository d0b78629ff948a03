package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"tunic/internal/audit"
	"tunic/internal/config"
	"tunic/internal/layers"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
)

// verifyCmd looks at all that is stored, beside a tunic that serves.
type verifyCmd struct {
	Tables []string `arg:"" optional:"" name:"table" help:"Tables to look at, as schema.table; all protected tables and views if none is given."`

	Repair   bool         `help:"Write tokens that are missing or wrong."`
	JSON     bool         `name:"json" help:"Print what was found as JSON."`
	Quiet    bool         `short:"q" help:"Show no progress, and log warnings and errors only."`
	Config   string       `placeholder:"FILE" help:"TOML file with settings, that of tunic serve."`
	Settings kong.Plugins `embed:""`
}

// Help is shown by `tunic verify --help`.
func (c *verifyCmd) Help() string {
	return `Opens every value of the protected tables, computes every layer again, compares the tables with the catalog, and lists what is not as tunic wrote it. It runs beside the tunic that serves the tables, while clients use them, and takes no locks. It never prints a value.

    TUNIC_SERVICE_PASSWORD=... tunic verify --backend 127.0.0.1:3306 \
        --service-user tunic_service --key tunic.key

Its settings are those of tunic serve, from the same file and variables. It uses those for the database, the service account and the key.

With --repair it writes tokens that are missing or wrong, unless somebody changes the row meanwhile. It cannot repair a value that does not open, which has to come from a backup, nor a table whose definition was changed around tunic.

It names faulty rows by their number in the order of a key of the stored table: at the server, SELECT … FROM shop.patient ORDER BY id LIMIT 1 OFFSET 6 is number 7.

Exit status: 0 all is as tunic wrote it, or was repaired; 10 something is not, or tunic encrypt or decrypt has left values in the clear; 2 a wrong flag, or a table that is not protected; 4 a database server that cannot be reached; 5 a key file; 6 the service account; 8 the ledger of protected tables; 1 anything else, such as an end by a signal.`
}

// errInterrupted is an end by a signal.
var errInterrupted = errors.New("ended by a signal before all was looked at")

// Run looks at everything and prints what it finds.
func (c *verifyCmd) Run(command *kong.Context) error {
	return besideServing(command, c.configuration, func(ctx context.Context, b *beside) error {
		bar := newBar(b.screen)
		a := &audit.Audit{
			Ledger: b.database.Ledger(b.key),
			Tables: c.Tables, Repair: c.Repair,
		}
		if !c.Quiet {
			a.Progress = func(p audit.Progress) { bar.show(p.Table, p.Done, p.Tables, p.Rows, p.Estimate) }
		}
		began := time.Now()
		report, err := a.Run(ctx)
		bar.close()
		switch {
		case errors.Is(err, ledger.ErrNone), errors.Is(err, audit.ErrUnknown):
			return sqlerr.AuditNothing(err)
		case err != nil && ctx.Err() != nil:
			err = errInterrupted
		case err != nil:
			return b.database.LedgerError(err)
		}
		if printed := c.print(command.Stdout, report, time.Since(began)); printed != nil || err != nil {
			return errors.Join(err, printed)
		}
		if bad := badTables(report); bad > 0 {
			return sqlerr.AuditFaults(bad, len(report.Tables)+len(report.Strangers))
		}
		return nil
	})
}

// configuration reads the settings; a key has to be among them.
func (c *verifyCmd) configuration(command *kong.Context) (*config.Config, error) {
	return settingsBeside(command, c.Config, "repair", "json", "quiet")
}

func badTables(r *audit.Report) int {
	bad := len(r.Strangers)
	for i := range r.Tables {
		if !r.Tables[i].Good() {
			bad++
		}
	}
	return bad
}

// print prints what was found.
func (c *verifyCmd) print(out io.Writer, r *audit.Report, took time.Duration) error {
	if c.JSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(verdictOf(r))
	}
	var b strings.Builder
	rows := int64(0)
	for i := range r.Tables {
		t := &r.Tables[i]
		rows += t.Rows
		tableLines(&b, t)
	}
	for _, name := range r.Strangers {
		fmt.Fprintf(&b, "%s  looks like a table of tunic's and is not in the catalog: was it restored from a backup?\n", name)
	}
	for _, unseen := range r.Unseen {
		fmt.Fprintf(&b, "%s; look yourself whether one names a protected table\n", unseen)
	}
	fmt.Fprintf(&b, "%s, %s, %s\n", plural(int64(len(r.Tables)), "table"), plural(rows, "row"), took.Round(time.Millisecond))
	_, err := io.WriteString(out, b.String())
	return err
}

// tableLines is a line for the table and one for each thing that is wrong with it.
func tableLines(b *strings.Builder, t *audit.Table) {
	state := "as written"
	switch {
	case t.Changing:
		state = "not checked: it is being changed; try again"
	case !t.Good():
		state = "NOT AS WRITTEN"
	case len(t.Faults) > 0:
		state = "repaired"
	case t.Between:
		state = "as written; tunic encrypt, decrypt or rotate --families was begun: run it again"
	}
	if t.Good() && t.Unchecked {
		state += "; without a CHECK"
	}
	size := plural(t.Rows, "row")
	if t.View {
		size = "view"
	}
	fmt.Fprintf(b, "%s.%s  %s  %s\n", t.Schema, t.Name, size, state)
	for _, p := range t.Plain {
		fmt.Fprintf(b, "    %s: run tunic %s %s.%s again to finish\n", p.Says(), p.Next, t.Schema, t.Name)
	}
	if t.Unchecked {
		fmt.Fprintf(b, "    %s: %s\n", audit.UncheckedSays, audit.UncheckedFix(t.Schema, t.Name))
	}
	for _, m := range t.Mismatches {
		text := audit.MismatchSays(m)
		if fix := t.Fix(m); fix != "" {
			text += ": " + fix
		}
		fmt.Fprintf(b, "    %s\n", text)
	}
	for _, f := range t.Faults {
		fmt.Fprintf(b, "    %s\n", faultText(&f))
	}
	for _, f := range t.Forms {
		if f.Rows == t.Rows {
			continue // all rows have one form: nothing is to be told
		}
		fmt.Fprintf(b, "    column %s: layout %d, epoch %d in %s\n", f.Family, f.Layout, f.Epoch, plural(f.Rows, "row"))
	}
	for _, program := range t.Programs {
		fmt.Fprintf(b, "    %s has the table's name in it: if it reads the table, it reads stored forms\n", program)
	}
}

func faultText(f *layers.Fault) string {
	form := "sealed form"
	if f.Layer != 0 {
		form = f.Layer.String() + " token"
	}
	text := fmt.Sprintf("column %s: %s %s, in %s", f.Column, form, f.Kind, plural(f.Rows, "row"))
	if f.Repaired > 0 {
		text += fmt.Sprintf(", repaired in %d", f.Repaired)
	}
	return text + firstRows(f)
}

// firstRows says which rows have a fault, by their numbers: a key may be a value.
func firstRows(f *layers.Fault) string {
	if len(f.First) == 0 {
		return ""
	}
	numbers := make([]string, len(f.First))
	for i, n := range f.First {
		numbers[i] = grouped(n)
	}
	text := ": number " + strings.Join(numbers, ", ")
	if f.Rows > int64(len(f.First)) {
		text += ", …"
	}
	return text + " in the order of " + f.Key
}

// plural is "1 row", "1,234 rows".
func plural(n int64, word string) string {
	if n != 1 {
		word += "s"
	}
	return grouped(n) + " " + word
}

// verdict is the report as JSON.
type verdict struct {
	Good      bool           `json:"good"`
	Tables    []verdictTable `json:"tables"`
	Strangers []string       `json:"strangers,omitempty"`
	Unseen    []string       `json:"unseen,omitempty"`
}

type verdictTable struct {
	Schema     string            `json:"schema"`
	Table      string            `json:"table"`
	View       bool              `json:"view,omitempty"`
	Good       bool              `json:"good"`
	Changing   bool              `json:"changing,omitempty"`
	Between    bool              `json:"between_steps,omitempty"`
	Rows       int64             `json:"rows"`
	Unchecked  bool              `json:"without_check,omitempty"`
	Plain      []verdictPlain    `json:"plain,omitempty"`
	Mismatches []verdictMismatch `json:"mismatches,omitempty"`
	Faults     []verdictFault    `json:"faults,omitempty"`
	Forms      []verdictForms    `json:"family_forms,omitempty"`
	Programs   []string          `json:"programs,omitempty"`
}

// verdictPlain is where values are in the clear; without a column it is the table.
type verdictPlain struct {
	Column string `json:"column,omitempty"`
	Next   string `json:"next"`
}

type verdictMismatch struct {
	Of      string `json:"of"`
	Name    string `json:"name,omitempty"`
	Problem string `json:"problem"`
}

type verdictFault struct {
	Column   string `json:"column"`
	Form     string `json:"form"`
	Problem  string `json:"problem"`
	Rows     int64  `json:"rows"`
	Repaired int64  `json:"repaired"`
	// First are numbers of rows, counted from 1 in the order of Key.
	First []int64 `json:"first_rows,omitempty"`
	Key   string  `json:"key,omitempty"`
}

// verdictForms is how many rows have forms of a family of one layout and epoch.
type verdictForms struct {
	Column string `json:"column"`
	Layout uint16 `json:"layout"`
	Epoch  uint16 `json:"epoch"`
	Rows   int64  `json:"rows"`
}

func verdictOf(r *audit.Report) verdict {
	v := verdict{Good: r.Good(), Tables: []verdictTable{}, Strangers: r.Strangers, Unseen: r.Unseen}
	for i := range r.Tables {
		t := &r.Tables[i]
		one := verdictTable{Schema: t.Schema, Table: t.Name, View: t.View, Good: t.Good(), Changing: t.Changing, Between: t.Between, Unchecked: t.Unchecked, Rows: t.Rows, Programs: t.Programs}
		for _, p := range t.Plain {
			one.Plain = append(one.Plain, verdictPlain(p))
		}
		for _, m := range t.Mismatches {
			one.Mismatches = append(one.Mismatches, verdictMismatch(m))
		}
		for _, f := range t.Faults {
			form := "sealed"
			if f.Layer != 0 {
				form = f.Layer.String()
			}
			one.Faults = append(one.Faults, verdictFault{Column: f.Column, Form: form, Problem: f.Kind.String(), Rows: f.Rows, Repaired: f.Repaired, First: f.First, Key: f.Key})
		}
		for _, f := range t.Forms {
			one.Forms = append(one.Forms, verdictForms{f.Family, f.Layout, f.Epoch, f.Rows})
		}
		v.Tables = append(v.Tables, one)
	}
	return v
}
