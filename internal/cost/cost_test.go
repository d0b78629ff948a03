package cost

import (
	"context"
	"regexp"
	"slices"
	"testing"

	"tunic/internal/policy"
)

// TestMeasure: each sample is sealed and opened, has the layers of its type, and what comes
// out has the length that docs/schemes.md says.
func TestMeasure(t *testing.T) {
	const rounds = 2
	figures, err := Measure(context.Background(), rounds, nil)
	if err != nil {
		t.Fatal(err)
	}
	bytes := map[string]float64{}
	for _, f := range figures {
		if len(f.Rounds) != rounds || f.Rounds[1].Operations < pieces*pieceLeast || f.Rounds[0].Nanoseconds <= 0 {
			t.Errorf("%s: %s: %+v", f.Value, f.Operation, f.Rounds)
		}
		bytes[f.Value+": "+f.Operation] = f.Rounds[0].Bytes
	}
	for name, want := range map[string]float64{
		"int: seal": 8 + 31, "int: open": 8, "int: equality": 8, "int: order/1000": bytes["int: order"],
		"decimal(30,6): seal": 16 + 31, "decimal(30,6): equality": 16, "double: order": 32,
		"varchar(50), 12 characters: seal": 16 + 31, "varchar(50), 12 characters: open": 12, "varchar(50), 12 characters: equality": 16,
		"family of 10 columns: seal": 18 + 2 + 4 + 1 + 2 + 1 + 4 + 2 + 5 + 1 + 3 + 24 + 15 + 16, "family of 10 columns: open": 64,
		"text, 2 KiB: seal": 2048 + 16 + 31, "blob, 60 KiB: open": 60 << 10,
	} {
		if bytes[name] != want || want == 0 {
			t.Errorf("%s: %g bytes, want %g", name, bytes[name], want)
		}
	}
	for _, c := range policy.Each() {
		if bytes["int: "+c.String()] == 0 {
			t.Errorf("no layer for %v is measured (sample.layers)", c)
		}
	}
	if _, layered := bytes["json: equality"]; layered || bytes["json: seal"] == 0 {
		t.Errorf("json has no layer: %v", bytes)
	}
}

// TestOnly: a pattern chooses by type and operation, and one that chooses nothing is an error.
func TestOnly(t *testing.T) {
	figures, err := Measure(context.Background(), 1, regexp.MustCompile(`^(int|date): (seal|order)`))
	var got []string
	for _, f := range figures {
		got = append(got, f.Value+": "+f.Operation)
	}
	if want := []string{"int: seal", "int: order", "int: order/1000", "date: seal", "date: order", "date: order/month"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := Measure(context.Background(), 1, regexp.MustCompile("none")); err == nil {
		t.Error("nothing is measured, and nobody is told")
	}
}
