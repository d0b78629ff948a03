package exec

import (
	"errors"
	"testing"
	"time"

	"tunic/internal/wire"
)

// clocks is a server in a time zone.
func clocks(l *time.Location, asked *int) ask {
	return func(_ string, columns int) ([]string, error) {
		*asked++
		var row []string
		for _, at := range changes(l)[:min(columns, len(changes(l)))] {
			row = append(row, time.Unix(at, 0).In(l).Format(time.DateTime))
		}
		for len(row) < columns {
			row = append(row, "")
		}
		return row, nil
	}
}

func TestZones(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	var z zones
	asked := 0
	for range 2 {
		if l, err := z.find("Europe/Berlin", "UTC", clocks(berlin, &asked)); err != nil || l == nil || l.String() != "Europe/Berlin" {
			t.Errorf("%v, %v", l, err)
		}
		if l, err := z.find("Europe/Paris", "UTC", clocks(berlin, &asked)); err != nil || l != nil {
			t.Errorf("a zone with other clocks is taken for Paris: %v, %v", l, err)
		}
	}
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
	for name, want := range map[string]int{"+00:00": 0, "UTC": 0, "+05:30": 19800, "-11:00": -39600} {
		l, err := z.find(name, "", nil)
		if err != nil || l == nil {
			t.Errorf("%s: %v, %v", name, l, err)
			continue
		}
		if _, offset := time.Unix(0, 0).In(l).Zone(); offset != want {
			t.Errorf("%s: %d seconds", name, offset)
		}
	}
	if l, err := z.find("SYSTEM", "UTC", clocks(time.UTC, &asked)); err != nil || l == nil {
		t.Errorf("SYSTEM in UTC: %v, %v", l, err)
	}
	if l, err := z.find("Nowhere/Atall", "", clocks(time.UTC, &asked)); err != nil || l != nil {
		t.Errorf("a zone of no name: %v, %v", l, err)
	}
	if _, err := z.find("Asia/Tokyo", "", func(string, int) ([]string, error) { return nil, wire.ErrMalformed }); !errors.Is(err, wire.ErrMalformed) {
		t.Errorf("%v", err)
	}
}

// TestZonesOfServers: TIMESTAMP in zones that the server knows by name, and in its
// own.
func TestZonesOfServers(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.table("t", []col{
			{name: "id", typ: "INT", protect: "plain"},
			{name: "v", typ: "TIMESTAMP(2)", protect: "sealed", null: true},
			{name: "w", typ: "DATETIME", protect: "sealed", def: "CURRENT_TIMESTAMP"},
		}, primary("id"))
		p := r.pair(t, 0)
		p.each(
			"SET timestamp = 1580724672",
			"INSERT INTO t (id, v) VALUES (1, '2020-07-01 12:00:00.25')",
			"SELECT * FROM t", "SET time_zone = '-03:30'",
			"INSERT INTO t (id, v) VALUES (2, '2020-07-01 12:00:00')",
			"SELECT * FROM t ORDER BY id",
		)
	})
}

// TestUpdates: what the server would say of a value that is assigned to rows.
func TestUpdates(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.table("t", []col{
			{name: "id", typ: "INT", protect: "plain"}, {name: "v", typ: "INT", protect: "equality", null: true},
		}, primary("id"))
		p := r.pair(t, 0)
		p.each(
			"INSERT INTO t VALUES (1, 1), (2, 2), (3, NULL)", "SET sql_mode = ''",
			"UPDATE t SET v = 5 WHERE id = 1", "UPDATE t SET v = 5 WHERE id = 1", "UPDATE t SET v = NULL WHERE id = 1",
			"UPDATE t SET v = '7x' WHERE id > 0", "UPDATE t SET v = 99999999999 WHERE id = 2",
			"UPDATE t SET v = '7x' WHERE id > 100", "UPDATE IGNORE t SET v = 'x' WHERE v = 7",
			"SELECT * FROM t ORDER BY id", "SET sql_mode = 'STRICT_ALL_TABLES'", "UPDATE t SET v = 99999999999 WHERE id = 2",
			"UPDATE t SET v = 12 WHERE v IN (0, 1)", "SELECT * FROM t ORDER BY id",
		)
		p.prepared("UPDATE t SET v = ? WHERE id = ?", 0, []param{long(1), long(1)}, []param{long(1), long(1)}, []param{null(), long(2)}, []param{long(4), long(99)})
	})
}
