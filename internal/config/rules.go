package config

import (
	"fmt"
	"maps"
	"slices"
)

// rulesKey is a key whose value is a list of tables. Flags and variables have no place
// for it.
const rulesKey = "policy.rules"

// loadRules reads [[policy.rules]].
func (l *loader) loadRules(path string, value any) error {
	list, ok := value.([]map[string]any)
	if !ok {
		return &Error{Kind: BadValue, Setting: rulesKey + " in " + path, Problem: "is not a list of tables", Fix: "write [[policy.rules]]"}
	}
	for i, table := range list {
		rule := Rule{From: fmt.Sprintf("%s, number %d, in %s", rulesKey, i+1, path)}
		for _, name := range slices.Sorted(maps.Keys(table)) {
			text, ok := table[name].(string)
			waits, isBool := table[name].(bool)
			switch {
			case name == "waits" && isBool:
				rule.Waits = waits
			case name == "waits":
				return &Error{Kind: BadValue, Setting: rule.From, Problem: name + " is neither true nor false"}
			case !slices.Contains(ruleKeys, name):
				return &Error{Kind: UnknownSetting, Setting: rule.From, Problem: "a rule has no " + name, Fix: fixName(name, ruleKeys, "remove it")}
			case !ok:
				return &Error{Kind: BadValue, Setting: rule.From, Problem: name + " is not a string"}
			case name == "columns":
				rule.Columns = text
			default:
				rule.Protection = text
			}
		}
		if rule.Columns == "" || rule.Protection == "" {
			return &Error{Kind: Missing, Setting: rule.From, Problem: "a rule has columns and protection", Fix: "give both"}
		}
		l.config.Policy.Rules = append(l.config.Policy.Rules, rule)
	}
	return nil
}

var ruleKeys = []string{"columns", "protection", "waits"}
