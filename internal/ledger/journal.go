package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/crash"
)

// Step is what a change does to one table. Without Old the table is made, without
// New it is dropped. Old and New have one ID; a new definition has a new Revision,
// and a new name alone keeps it.
type Step struct{ Old, New *catalog.Table }

// Comes reports whether the step makes a name that of a protected table or view that was not.
func (s Step) Comes() bool {
	return s.New != nil && (s.Old == nil || s.Old.Schema != s.New.Schema || s.Old.Name != s.New.Name)
}

// lacksCheck reports whether a name comes to be that of a table that has no CHECK against plain values, or will have none.
func (s Step) lacksCheck() bool {
	return s.Comes() && s.New.View == nil && (s.New.Unchecked || s.New.Encrypting())
}

// entry is a change in the journal.
type entry struct {
	id    uint64
	steps []Step
}

// writtenStep is a step in the journal: the tables as catalog writes them.
type writtenStep struct {
	Old json.RawMessage `json:"old,omitempty"`
	New json.RawMessage `json:"new,omitempty"`
}

func (e *entry) encode() ([]byte, error) {
	written := make([]writtenStep, len(e.steps))
	for i, s := range e.steps {
		var err error
		if written[i].Old, err = encodeTable(s.Old); err != nil {
			return nil, err
		}
		if written[i].New, err = encodeTable(s.New); err != nil {
			return nil, err
		}
	}
	return json.Marshal(written)
}

func encodeTable(t *catalog.Table) (json.RawMessage, error) {
	if t == nil {
		return nil, nil
	}
	return t.Encode()
}

func decodeEntry(id uint64, data []byte, types catalog.Types) (*entry, error) {
	var written []writtenStep
	if err := json.Unmarshal(data, &written); err != nil {
		return nil, fmt.Errorf("%w: an entry of the journal", ErrDamaged)
	}
	e := &entry{id: id, steps: make([]Step, len(written))}
	for i, w := range written {
		var err error
		if e.steps[i].Old, err = decodeTable(w.Old, types); err != nil {
			return nil, err
		}
		if e.steps[i].New, err = decodeTable(w.New, types); err != nil {
			return nil, err
		}
	}
	return e, nil
}

func decodeTable(data json.RawMessage, types catalog.Types) (*catalog.Table, error) {
	if data == nil {
		return nil, nil //nolint:nilnil // a step without this half
	}
	return catalog.Decode(data, types)
}

// readJournal opens what is left in the journal and keeps it in rows.
func (l *Ledger) readJournal(ctx context.Context, rows map[row]digest) (left []*entry, err error) {
	found, err := l.conn.QueryContext(ctx, "SELECT id, sealed FROM "+journal+" ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var (
			id     uint64
			sealed []byte
		)
		if err := found.Scan(&id, &sealed); err != nil {
			return nil, err
		}
		plain, err := l.sealer.open(placeJournal, number(id), 0, sealed)
		if err != nil {
			return nil, fmt.Errorf("%w: an entry of the journal", ErrDamaged)
		}
		e, err := decodeEntry(id, plain, l.o.Types)
		if err != nil {
			return nil, err
		}
		left = append(left, e)
		rows[row{placeJournal, number(id)}] = digestOf(0, sealed)
	}
	return left, found.Err()
}

// announce writes an entry into the journal. From then on, whatever happens, the
// change is settled before its tables are used again.
func (l *Ledger) announce(ctx context.Context, steps []Step) (*entry, error) {
	version := l.written().Version + 1
	for _, s := range steps {
		if s.Old != nil && s.New != nil {
			s.New.DateLayers(s.Old)
		}
	}
	e := &entry{id: version, steps: steps}
	plain, err := e.encode()
	if err != nil {
		return nil, err
	}
	sealed := l.sealer.seal(placeJournal, number(version), 0, plain)
	err = l.transact(ctx, version, func(tx *sql.Tx, rows map[row]digest) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO "+journal+" (id, sealed) VALUES (?, ?)", version, sealed); err != nil {
			return err
		}
		rows[row{placeJournal, number(version)}] = digestOf(0, sealed)
		crash.Point("ledger.announcing")
		return nil
	})
	if err != nil {
		return nil, err
	}
	l.show(l.written().Next(version, nil, nil), slices.Concat(l.unsettled(), steps))
	return e, nil
}
