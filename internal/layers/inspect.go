package layers

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/identifier"
	"tunic/internal/policy"
	"tunic/internal/scheme"
)

// Inspection is a look at all that the rows of a table store, while clients use it:
// every sealed form is opened, and every layer computed anew from it. What is being backfilled
// is left out.
type Inspection struct {
	// DB is the service account's, which needs SELECT on the table, and UPDATE to repair.
	DB    *sql.DB
	Ring  *crypt.Ring
	Table *catalog.Table
	// Repair gives rows the tokens that they lack or have wrong, where the value opens and
	// nobody has changed the row meanwhile.
	Repair bool
	// Looked is told, now and then, how many rows have been looked at. It may be nil.
	Looked func(rows int64)

	forms map[Forms]int64
}

// Forms are what is told of the forms of a family by their headers.
type Forms struct {
	Family        string // its stored column
	Layout, Epoch uint16
	Rows          int64 // that have such forms
}

// Forms are those that Run has found and that open, in the order of families, layouts and epochs.
func (i *Inspection) Forms() (all []Forms) {
	for f, rows := range i.forms {
		f.Rows = rows
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b Forms) int {
		return cmp.Or(cmp.Compare(a.Family, b.Family), cmp.Compare(a.Layout, b.Layout), cmp.Compare(a.Epoch, b.Epoch))
	})
	return all
}

// FaultKind is what is wrong with a stored form.
type FaultKind uint8

// The kinds of faults.
const (
	Unopened FaultKind = iota // a sealed form does not open: it is damaged, another column's, or not tunic's
	Lacking                   // a value has no token
	Wrong                     // a token is another value's
	Surplus                   // a NULL has a token
	Emptied                   // a column that is NOT NULL has no sealed form, or NULL in that of its family; a family has none
	Unlaid                    // a form of a family is of a layout that lacks the column
)

var faultNames = [...]string{
	Unopened: "does not open", Lacking: "is missing", Wrong: "is not that of the value", Surplus: "is there for NULL", Emptied: "is NULL in a column that is NOT NULL",
	Unlaid: "is of a layout without the column",
}

func (k FaultKind) String() string { return faultNames[k] }

// Fault is something that is wrong in the same way in some rows.
type Fault struct {
	// Column is a logical column, or of a form of a family that one's stored column.
	Column string
	// Layer is which layer is wrong; 0 of the sealed form.
	Layer policy.Capabilities
	Kind  FaultKind
	// Rows is in how many rows, Repaired in how many of them it no longer is.
	Rows, Repaired int64
	// First are the numbers of the first of these rows, counted from 1 in the order of Key, which
	// is a key by its name and its stored columns; nil of a table whose rows nothing tells apart.
	First []int64
	Key   string
}

// firstRows is how many rows with a fault are told by their numbers.
const firstRows = 5

// Run looks at all rows, and returns how many there were and what is wrong with them. A
// table that is changed meanwhile may show faults that it does not have: the caller
// compares its revision before and after. Errors are the server's.
func (i *Inspection) Run(ctx context.Context) (rows int64, faults []Fault, err error) {
	from := &sources{table: i.Table, ring: i.Ring}
	targets, err := from.allTargets()
	if err != nil {
		return 0, nil, err
	}
	own, err := connect(ctx, i.DB, nil)
	if err != nil {
		return 0, nil, err
	}
	defer own.close()
	i.forms = map[Forms]int64{}
	w, err := workerOn(from, targets)
	if err != nil {
		return 0, nil, err
	}
	in := &inspector{Inspection: i, own: own, faults: map[spot]*Fault{}, worker: w}
	in.link = own
	if in.key == nil {
		rows, err = in.streamed(ctx)
		return rows, in.found(), err
	}
	// By the key, so that the server has no long read view.
	n, err := in.eachRow(ctx, func(r *row) error {
		in.number++
		return in.row(ctx, *r)
	}, func(rows int) { in.tell(int64(rows)) })
	return int64(n), in.found(), err
}

// allTargets are the protected columns with the layers that plans use.
func (s *sources) allTargets() (all []target, err error) {
	for i := range s.table.Columns {
		c := &s.table.Columns[i]
		if !c.Protected() || c.Backfilling {
			continue
		}
		x := target{read: c}
		for _, l := range c.Layers {
			if l.State == catalog.Ready {
				x.tokens = append(x.tokens, tokenOf(c, &l))
			}
		}
		if err := x.key(s); err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}

// inspector is an Inspection under way.
type inspector struct {
	*Inspection
	worker
	own    *ownLink
	faults map[spot]*Fault
	number int64 // of the row that is looked at; 0 where there is no order
}

// spot is what makes faults the same.
type spot struct {
	target int
	family bool // it is of the forms of the target's family
	layer  policy.Capabilities
	kind   FaultKind
}

// streamed reads a table whose rows nothing tells apart in one query.
func (in *inspector) streamed(ctx context.Context) (rows int64, err error) {
	in.key = &rowKey{}
	in.Repair = false // no row could be found again
	err = in.own.each(ctx, "SELECT "+strings.Join(append(in.selected(true), "1"), ", ")+" FROM "+in.name()+in.fenced(" WHERE "), func(cells [][]byte) error {
		if rows++; rows%rowsLooked == 0 {
			in.tell(rows)
		}
		return in.row(ctx, in.split(cells))
	})
	in.tell(rows)
	return rows, err
}

func (in *inspector) tell(rows int64) {
	if in.Looked != nil {
		in.Looked(rows)
	}
}

// repaired is a token that a row is to get.
type repaired struct {
	spot
	stored    string
	was, want []byte
}

// row looks at one row.
func (in *inspector) row(ctx context.Context, r row) error {
	var found []repaired
	if err := in.open(&r); err != nil {
		return err
	}
	for i := range in.targets {
		x := &in.targets[i]
		have := r.have[:len(x.tokens)]
		r.have = r.have[len(x.tokens):]
		if x.from.broken {
			continue
		}
		want, err := x.cells()
		switch {
		case errors.Is(err, errUnlaid):
			in.note(spot{target: i, kind: Unlaid})
			continue
		case err != nil:
			return err
		}
		if value, _ := x.value(); value == nil && x.read.Type.NotNull {
			in.note(spot{target: i, kind: Emptied})
		}
		for j := range want {
			if kind, bad := faultOf(have[j], want[j]); bad {
				at := spot{target: i, layer: x.tokens[j].capability, kind: kind}
				in.note(at)
				found = append(found, repaired{at, x.tokens[j].stored, have[j], want[j]})
			}
		}
	}
	if len(found) == 0 || !in.Repair {
		return nil
	}
	return in.repair(ctx, &r, found)
}

// open opens a row, and notes what does not open.
func (in *inspector) open(r *row) error {
	for i, s := range in.sources {
		err := s.open(r.read[i])
		switch {
		case errors.Is(err, ErrForeign):
			at := spot{family: s.family != nil, kind: Unopened}
			at.target = slices.IndexFunc(in.targets, func(x target) bool { return x.from == s })
			if r.read[i] == nil {
				at.kind = Emptied
			}
			in.note(at)
		case err != nil:
			return err
		case s.family != nil:
			_, epoch, _ := scheme.Header(r.read[i])
			in.forms[Forms{Family: s.stored, Layout: s.record.Layout(), Epoch: epoch}]++
		}
	}
	return nil
}

// faultOf compares a token with what it is to be.
func faultOf(have, want []byte) (kind FaultKind, bad bool) {
	switch {
	case have == nil && want == nil:
		return 0, false
	case have == nil:
		return Lacking, true
	case want == nil:
		return Surplus, true
	}
	return Wrong, !bytes.Equal(have, want)
}

func (in *inspector) note(at spot) {
	f := in.faults[at]
	if f == nil {
		f = &Fault{Column: in.targets[at.target].read.Name, Layer: at.layer, Kind: at.kind}
		if at.family {
			f.Column = in.targets[at.target].from.stored
		}
		in.faults[at] = f
	}
	f.Rows++
	if in.number > 0 && len(f.First) < firstRows {
		f.First, f.Key = append(f.First, in.number), in.key.String()
	}
}

// repair writes the tokens of one row, if it is still as it was read. What the server
// does not take, such as a token that another row has in a unique key, stays a fault.
func (in *inspector) repair(ctx context.Context, r *row, found []repaired) error {
	result, err := in.own.conn.ExecContext(ctx, in.repairing(r, found))
	if _, said := errors.AsType[*mysql.MySQLError](err); said && ctx.Err() == nil { // it is counted as not repaired
		return nil
	}
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return err
	}
	for _, m := range found {
		in.faults[m.spot].Repaired++
	}
	return nil
}

// repairing is the statement of a repair.
func (in *inspector) repairing(r *row, found []repaired) string {
	b := append([]byte("UPDATE "), in.name()...)
	for i, m := range found {
		b = append(b, []string{" SET ", ", "}[min(i, 1)]...)
		b = appendHex(append(append(b, identifier.Quoted(m.stored)...), " ="...), m.want)
	}
	b = in.keepTimes(b, identifier.Quoted)
	b = append(b, " WHERE "...)
	for i := range in.key.parts {
		p := &in.key.parts[i]
		b = append(append(b, identifier.Quoted(p.stored)...), " = "...)
		b = append(p.appendLiteral(b, r.key[i]), " AND "...)
	}
	for i, s := range in.sources {
		b = append(append(b, identifier.Quoted(s.stored)...), " <=>"...)
		b = append(appendHex(b, r.read[i]), " AND "...)
	}
	for i, m := range found {
		b = append(b, []string{"", " AND "}[min(i, 1)]...)
		b = appendHex(append(append(b, identifier.Quoted(m.stored)...), " <=>"...), m.was)
	}
	return string(b)
}

// byFamily has what is of a family before what is of its first member.
func byFamily(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// found are the faults in the order of columns.
func (in *inspector) found() []Fault {
	var all []Fault
	for _, at := range slices.SortedFunc(maps.Keys(in.faults), func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.target, b.target), byFamily(a.family, b.family), cmp.Compare(a.layer, b.layer), cmp.Compare(a.kind, b.kind))
	}) {
		all = append(all, *in.faults[at])
	}
	return all
}
