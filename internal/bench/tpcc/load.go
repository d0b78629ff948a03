package tpcc

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// batch is how many rows an INSERT of the load has.
const batch = 100

// Load makes the tables in the database of db and fills them (clause 4.3.3). The same
// scale and seed give the same rows.
func Load(ctx context.Context, db *sql.DB, s Scale, seed uint64) error {
	if err := s.check(); err != nil {
		return err
	}
	for i, t := range tables {
		if _, err := db.ExecContext(ctx, definitionIn(t.definition, s.Ordered)); err != nil {
			return fmt.Errorf("tpcc: make %s: %w", t.name, err)
		}
		w := writer{ctx: ctx, db: db, table: t.name}
		rows[t.name](&w, newRandom(seed, uint64(i)), s)
		if err := w.close(); err != nil {
			return fmt.Errorf("tpcc: fill %s: %w", t.name, err)
		}
	}
	return nil
}

// Drop removes the tables.
func Drop(ctx context.Context, db *sql.DB) error {
	for i := range tables {
		name := tables[len(tables)-1-i].name
		if _, err := db.ExecContext(ctx, "DROP TABLE IF EXISTS "+name); err != nil {
			return fmt.Errorf("tpcc: drop %s: %w", name, err)
		}
	}
	return nil
}

// writer collects rows and inserts them by the batch. The first error ends it.
type writer struct {
	ctx     context.Context //nolint:containedctx // of the one call that the writer lives for
	db      *sql.DB
	table   string
	columns int
	values  []any
	full    *sql.Stmt // an INSERT of a whole batch
	err     error
}

func (w *writer) row(values ...any) {
	w.columns = len(values)
	w.values = append(w.values, values...)
	if len(w.values) == batch*w.columns {
		w.flush()
	}
}

func (w *writer) flush() {
	if w.err != nil || len(w.values) == 0 {
		w.values = w.values[:0]
		return
	}
	text := insertion(w.table, w.columns, len(w.values)/w.columns)
	if len(w.values) < batch*w.columns {
		_, w.err = w.db.ExecContext(w.ctx, text, w.values...)
		w.values = w.values[:0]
		return
	}
	if w.full == nil {
		w.full, w.err = w.db.PrepareContext(w.ctx, text)
	}
	if w.err == nil {
		_, w.err = w.full.ExecContext(w.ctx, w.values...)
	}
	w.values = w.values[:0]
}

func (w *writer) close() error {
	w.flush()
	if w.full != nil {
		_ = w.full.Close()
	}
	return w.err
}

// insertion is the text of an INSERT of so many rows.
func insertion(table string, columns, rows int) string {
	row := "(?" + strings.Repeat(", ?", columns-1) + ")"
	return "INSERT INTO " + table + " VALUES " + row + strings.Repeat(", "+row, rows-1)
}

// rows has what each table is filled with.
var rows = map[string]func(*writer, *random, Scale){
	"warehouse":  warehouseRows,
	"district":   districtRows,
	"customer":   customerRows,
	"history":    historyRows,
	"orders":     orderRows,
	"new_order":  newOrderRows,
	"item":       itemRows,
	"stock":      stockRows,
	"order_line": orderLineRows,
}

// paid is what a customer has paid at first, in hundredths: the sums of districts and
// warehouses follow from it.
const paid = 1000

func warehouseRows(w *writer, r *random, s Scale) {
	for id := 1; id <= s.Warehouses; id++ {
		w.row(id, r.text(alphanumeric, 6, 10), r.text(alphanumeric, 10, 20), r.text(alphanumeric, 10, 20), r.text(alphanumeric, 10, 20),
			r.text(letters, 2, 2), r.zip(), r.rate(2000), decimal(paid*s.Customers*s.Districts, 2))
	}
}

// districts calls visit for every district.
func (s Scale) districts(visit func(warehouse, district int)) {
	for warehouse := 1; warehouse <= s.Warehouses; warehouse++ {
		for district := 1; district <= s.Districts; district++ {
			visit(warehouse, district)
		}
	}
}

func districtRows(w *writer, r *random, s Scale) {
	s.districts(func(warehouse, district int) {
		w.row(district, warehouse, r.text(alphanumeric, 6, 10), r.text(alphanumeric, 10, 20), r.text(alphanumeric, 10, 20),
			r.text(alphanumeric, 10, 20), r.text(letters, 2, 2), r.zip(), r.rate(2000), decimal(paid*s.Customers, 2), s.Customers+1)
	})
}

func customerRows(w *writer, r *random, s Scale) {
	s.districts(func(warehouse, district int) {
		for id := 1; id <= s.Customers; id++ {
			name := lastName(id - 1)
			if id > names(s) {
				name = r.lastName(s, nurandLoadName)
			}
			credit := "GC"
			if r.percent(10) {
				credit = "BC"
			}
			w.row(id, district, warehouse, r.text(alphanumeric, 8, 16), "OE", name,
				r.text(alphanumeric, 10, 20), r.text(alphanumeric, 10, 20), r.text(alphanumeric, 10, 20), r.text(letters, 2, 2), r.zip(),
				r.text(digits, 16, 16), r.tick(), credit, "50000.00", r.rate(5000), "-10.00", decimal(paid, 2), 1, 0,
				r.text(alphanumeric, 300, 500))
		}
	})
}

func historyRows(w *writer, r *random, s Scale) {
	s.districts(func(warehouse, district int) {
		for id := 1; id <= s.Customers; id++ {
			w.row(id, district, warehouse, district, warehouse, r.tick(), decimal(paid, 2), r.text(alphanumeric, 12, 24))
		}
	})
}

// ordersStream is the one from which orders and their lines are both drawn, whatever
// the seed: the lines of an order have to be as many as the order says, and of its time.
const ordersStream = 100

// order is what an order and its lines have in common.
type order struct {
	id, lines int
	entered   string
	delivered bool
}

// orders calls visit for every order that is there at first.
func (s Scale) orders(visit func(warehouse, district int, o order)) {
	r := newRandom(0, ordersStream)
	s.districts(func(warehouse, district int) {
		for id := 1; id <= s.Customers; id++ {
			visit(warehouse, district, order{id, r.between(5, 15), r.tick(), id <= s.delivered()})
		}
	})
}

func orderRows(w *writer, r *random, s Scale) {
	var customers []int // a permutation: everyone has ordered once
	s.orders(func(warehouse, district int, o order) {
		if o.id == 1 {
			customers = r.Perm(s.Customers)
		}
		var carrier any
		if o.delivered {
			carrier = r.between(1, 10)
		}
		w.row(o.id, district, warehouse, customers[o.id-1]+1, o.entered, carrier, o.lines, 1)
	})
}

func newOrderRows(w *writer, _ *random, s Scale) {
	s.orders(func(warehouse, district int, o order) {
		if !o.delivered {
			w.row(o.id, district, warehouse)
		}
	})
}

func orderLineRows(w *writer, r *random, s Scale) {
	s.orders(func(warehouse, district int, o order) {
		for number := 1; number <= o.lines; number++ {
			var when any
			amount := r.between(1, 999_999)
			if o.delivered {
				when, amount = o.entered, 0
			}
			w.row(o.id, district, warehouse, number, r.between(1, s.Items), warehouse, when, 5, decimal(amount, 2), r.text(alphanumeric, 24, 24))
		}
	})
}

func itemRows(w *writer, r *random, s Scale) {
	for id := 1; id <= s.Items; id++ {
		w.row(id, r.between(1, 10_000), r.text(alphanumeric, 14, 24), decimal(r.between(100, 10_000), 2), r.data())
	}
}

func stockRows(w *writer, r *random, s Scale) {
	for warehouse := 1; warehouse <= s.Warehouses; warehouse++ {
		for item := 1; item <= s.Items; item++ {
			values := []any{item, warehouse, r.between(10, 100)}
			for range 10 {
				values = append(values, r.text(alphanumeric, 24, 24))
			}
			w.row(append(values, 0, 0, 0, r.data())...)
		}
	}
}
