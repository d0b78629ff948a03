package cost

import (
	"fmt"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/scheme/prp64"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// A sample is a type and values of it.
type sample struct {
	name      string // of the type, and of the length of its values where it has several
	typ       string // as in a definition; "" for the name
	collation string
	grain     string             // of a second order layer, as in an annotation; "" for none
	text      func(i int) string // the i-th value, as a client writes it
}

const (
	general = "utf8mb4_0900_ai_ci"
	kilo    = 1 << 10
)

// samples have every form that a canonical value can have, and strings from short to long.
var samples = []sample{
	{name: "int", grain: "1000", text: number("%d")},
	{name: "bigint unsigned", text: number("1844674407370%06d")},
	{name: "decimal(10,2)", grain: "100", text: number("%d.25")},
	{name: "decimal(30,6)", text: number("12345678901234567%d.250000")},
	{name: "double", text: number("%d.5e-3")},
	{name: "bit(8)", typ: "bit(8)", text: func(i int) string { return string(rune('a' + i%26)) }},
	{name: "date", grain: "month", text: func(i int) string { return fmt.Sprintf("19%02d-%02d-%02d", 10+i, 1+i%12, 1+i%28) }},
	{name: "datetime(6)", grain: "day", text: number("2024-05-04 13:30:59.%06d")},
	{name: "timestamp", grain: "hour", text: func(i int) string { return fmt.Sprintf("2024-05-04 %02d:30:%02d", i%24, i%60) }},
	{name: "time(3)", text: func(i int) string { return fmt.Sprintf("%02d:30:59.125", i%24) }},
	{name: "enum", typ: "enum('new','paid','sent')", collation: general, text: func(i int) string { return []string{"new", "paid", "sent"}[i%3] }},
	{name: "char(36)", collation: general, text: number("7d44f3c2-51f1-4c5b-9b7a-%012d")},
	{name: "varchar(50), 12 characters", typ: "varchar(50)", collation: general, grain: "prefix 4", text: number("Ada L.%06d")},
	{name: "varchar(50), 12 characters, binary order", typ: "varchar(50)", collation: "utf8mb4_bin", text: number("Ada L.%06d")},
	{name: "varchar(255), 200 characters", typ: "varchar(255)", collation: general, text: long(200)},
	{name: "text, 2 KiB", typ: "text", collation: general, text: long(2 * kilo)},
	{name: "text, 16 KiB", typ: "text", collation: general, text: long(16 * kilo)},
	{name: "varbinary(16)", text: number("%016d")},
	{name: "blob, 1 KiB", typ: "blob", text: long(kilo)},
	{name: "blob, 60 KiB", typ: "blob", text: long(60 * kilo)},
	{name: "json", text: number(`{"name": "Ada", "tags": ["a", "b"], "visits": %d, "address": {"city": "London"}}`)},
}

func number(format string) func(int) string {
	return func(i int) string { return fmt.Sprintf(format, 7919*(i+1)%1000000) }
}

// long is words of so many characters.
func long(n int) func(int) string {
	return func(i int) string {
		return strings.Repeat(fmt.Sprintf("and %05d came again, late as ever; ", i), n/20)[:n]
	}
}

// server is the one whose types and collations these are.
var server = value.Env{Flavor: value.MySQL, Version: 80400}

// different is how many values of a sample take turns.
const different = 64

// canonical are the values of a sample, in canonical form.
func (s *sample) canonical(t *value.Type) (all [][]byte, err error) {
	characters, ok := charset.Lookup(server.Flavor, general)
	if !ok {
		return nil, fmt.Errorf("no collation %s", general)
	}
	for i := range different {
		text := []byte(s.text(i))
		source := value.StringSource(text, characters)
		form, outcome := value.Assign(nil, t, &source, &server)
		if outcome.Failed() || len(outcome.Conditions()) > 0 {
			return nil, fmt.Errorf("%s: its value %d is none of the type", s.name, i)
		}
		all = append(all, form)
	}
	return all, nil
}

// column is the protected column of a sample, without a layer.
func (s *sample) column() (catalog.Column, error) {
	text := s.typ
	if text == "" {
		text = s.name
	}
	t, err := catalog.TypesOf(server.Flavor)(text, s.collation, true)
	if err != nil {
		return catalog.Column{}, fmt.Errorf("%s: %w", s.name, err)
	}
	return catalog.Column{
		ID: catalog.ID{1}, Domain: catalog.ID{1}, Name: "c", TypeText: text, CollationName: s.collation, Type: t,
		Protection: policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order},
	}, nil
}

// layers are those that the column of a sample can have, by the names of annotations.
func (s *sample) layers(t *value.Type) (names []string, layers []catalog.Layer, err error) {
	add := func(name string, l catalog.Layer) {
		l.State, l.Stored = catalog.Ready, "c$layer"
		names, layers = append(names, name), append(layers, l)
	}
	if !value.Ordered(t) {
		return nil, nil, nil
	}
	equality := catalog.CMAC
	if value.FixedBytes(t) == prp64.TokenSize {
		equality = catalog.PRP64
	}
	add("equality", catalog.Layer{Capability: policy.Equality, Scheme: equality})
	if value.OrderBits(t) == 0 {
		return names, layers, nil
	}
	add("order", catalog.Layer{Capability: policy.Order, Scheme: catalog.ORD1})
	if s.grain != "" {
		grain, err := policy.ParseGrain(s.grain)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", s.name, err)
		}
		add("order/"+grain.String(), catalog.Layer{Capability: policy.Order, Scheme: catalog.ORD1, Grain: grain})
	}
	return names, layers, nil
}
