package environment

import (
	"errors"
	"testing"
	"time"

	"tunic/internal/wire"
)

// clocks is a server in a time zone.
func clocks(l *time.Location, asked *int) Ask {
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
	var z Zones
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
