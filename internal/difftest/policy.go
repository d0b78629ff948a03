package difftest

import "strings"

// Policy is one way of protecting the tables of a corpus. The corpus names its
// columns for what can be done with them, so that one set of rules fits all tables:
//
//	id      AUTO_INCREMENT: the server makes the values
//	pk, k…  in a primary key, another key, or a foreign key
//	x…      of a type or collation that has no layers, or in no key and too long for one
//	p…      plain where a policy mixes
//	others  anything else
//
// Tables whose names begin with plain_ are plain under all of them. Columns of a table
// grains are named for the grain of their order layer, where they have one.
type Policy struct {
	Name string
	// Settings are lines of the configuration file.
	Settings string
}

// Policies are the ones that protected tables are compared under. A key cannot
// stand on a sealed column, so that "sealed" leaves keys their equality.
var Policies = []*Policy{
	{Name: "sealed", Settings: rules(
		"*.*.id", "plain",
		"*.*.pk*", "equality",
		"*.*.k*", "equality",
		"*.*.*", "sealed")},
	{Name: "equality", Settings: apart(rules(
		"*.*.id", "plain",
		"*.*.x*", "sealed",
		"*.*.*", "equality"))},
	{Name: "order", Settings: rules(
		"*.*.id", "plain",
		"*.grains.*10", "equality, order/10",
		"*.grains.*100", "order/100",
		"*.grains.*day", "order/day",
		"*.grains.*month", "equality, order/month",
		"*.grains.*year", "order/year",
		"*.grains.*hour", "order/hour",
		"*.grains.*second", "order/second",
		"*.grains.*2", "order/prefix 2",
		"*.*.x*", "sealed",
		"*.*.*", "order")},
	{Name: "mixed", Settings: apart(rules(
		"*.*.id", "plain",
		"*.*.p*", "plain",
		"*.*.x*", "sealed",
		"*.grains.*10", "order/10",
		"*.grains.*day", "equality, order/day",
		"*.grains.*2", "equality, order/prefix 2",
		"*.*.k*", "order",
		"*.*.a*", "order",
		"*.*.b*", "equality",
		"*.*.c*", "plain",
		"*.*.d*", "sealed"))},
}

// narrow is a policy for random workloads, whose answers hang on the budget: where
// tunic has to finish a statement it soon has too many rows, and refuses.
var narrow = &Policy{Name: "narrow", Settings: findPolicy("order").Settings + "[local]\nrows = 40\n"}

// few is a policy for random workloads under which most columns are plain.
var few = &Policy{Name: "few", Settings: "[policy]\ndefault = \"plain\"\n" + ruleLines(
	"*.*.x*", "sealed",
	"*.*.d*", "sealed",
	"*.*.b*", "equality",
	"*.*.a*", "order")}

// apart are settings of a policy under which each column is sealed by itself. Under the others those of short values of a table are one
// family.
func apart(settings string) string {
	return strings.Replace(settings, "[policy]\n", "[policy]\nfamilies = \"apart\"\n", 1)
}

func findPolicy(name string) *Policy {
	for _, p := range Policies {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// rules are pairs of a pattern and what it says, as the configuration has them. What is plain
// in all scripts comes first: views without a table and a sequence, which a rule for all tables
// has refused.
func rules(pairs ...string) string {
	plain := []string{"*.plain_*.*", "plain", "*.simple.*", "plain", "*.moving.*", "plain", "*.seq.*", "plain"}
	return "[policy]\ndefault = \"protect\"\n" + ruleLines(append(plain, pairs...)...)
}

func ruleLines(pairs ...string) (text string) {
	for i := 0; i < len(pairs); i += 2 {
		text += "[[policy.rules]]\ncolumns = \"" + pairs[i] + "\"\nprotection = \"" + pairs[i+1] + "\"\n"
	}
	return text
}

// plainly is the policy under which nothing is protected: what a test that looks for
// ciphertext is checked with.
var plainly = &Policy{Name: "plain", Settings: "[policy]\ndefault = \"plain\"\n"}
