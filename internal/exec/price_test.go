package exec

import (
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/keys/keystest"
	"tunic/internal/plan/explanation"
	"tunic/internal/policy"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// TestPrices: the planner, which knows no scheme, tells of a layer the bytes that its
// tokens have.
func TestPrices(t *testing.T) {
	ring := crypt.NewRing(keystest.Tree(t))
	for i, typ := range []string{
		"tinyint(4)", "int(11)", "bigint(20) unsigned", "decimal(10,2)", "decimal(38,0)", "float", "double", "date", "datetime(6)",
		"timestamp", "time", "year(4)", "bit(7)", "char(5)", "varchar(100)", "binary(8)", "binary(4)", "varbinary(20)", "enum('a','b')", "text",
	} {
		collation := ""
		if strings.ContainsAny(typ[:1], "cev") && !strings.HasPrefix(typ, "varb") || typ == "text" {
			collation = "utf8mb4_general_ci"
		}
		parsed, err := catalog.TypesOf(charset.MariaDB)(typ, collation, true)
		if err != nil {
			t.Fatalf("%s: %v", typ, err)
		}
		equality := catalog.CMAC
		if value.FixedBytes(&parsed) == 8 {
			equality = catalog.PRP64
		}
		c := &catalog.Column{
			ID: catalog.ID{byte(i + 1)}, Domain: catalog.ID{byte(i + 1)}, Name: "c", TypeText: typ, Type: parsed,
			Protection: policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order},
			Layers: []catalog.Layer{
				{Capability: policy.Equality, Scheme: equality, State: catalog.Ready},
				{Capability: policy.Order, Scheme: catalog.ORD1, State: catalog.Ready},
			},
		}
		forms, err := ring.Column(c)
		if err != nil {
			t.Fatalf("%s: %v", typ, err)
		}
		for _, capability := range policy.Each() {
			token, err := forms.AppendToken(nil, capability, value.AppendImplicitDefault(nil, &parsed))
			if err != nil {
				t.Fatalf("%s: %v", typ, err)
			}
			price, ok := explanation.PriceOf(&parsed, capability)
			if !ok || price.Bytes != len(token) || price.Nanoseconds <= 0 {
				t.Errorf("%s, %s: %+v, %t; a token has %d bytes", typ, capability, price, ok, len(token))
			}
		}
	}
	document, err := catalog.TypesOf(charset.MySQL)("json", "", true)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := explanation.PriceOf(&document, policy.Equality); ok {
		t.Error("JSON has a price, and cannot have a layer")
	}
}
