package config

import (
	"fmt"
	"maps"
	"slices"
)

// accountsKey and annotatorsKey are lists of tables, as rulesKey is.
const (
	accountsKey   = "clients.accounts"
	annotatorsKey = "policy.annotators"
)

var accountKeys = []string{"user", "host", "certificate"}

// loadAccounts reads a list of accounts, [[clients.accounts]] or [[policy.annotators]].
func (l *loader) loadAccounts(path, key string, value any, into *[]ClientAccount) error {
	list, ok := value.([]map[string]any)
	if !ok {
		return &Error{Kind: BadValue, Setting: key + " in " + path, Problem: "is not a list of tables", Fix: "write [[" + key + "]]"}
	}
	for i, table := range list {
		from := fmt.Sprintf("%s, number %d, in %s", key, i+1, path)
		account := ClientAccount{}
		fields := map[string]*string{"user": &account.User, "host": &account.Host, "certificate": &account.Certificate}
		for _, name := range slices.Sorted(maps.Keys(table)) {
			text, ok := table[name].(string)
			switch {
			case fields[name] == nil:
				return &Error{Kind: UnknownSetting, Setting: from, Problem: "an account has no " + name, Fix: fixName(name, accountKeys, "remove it")}
			case !ok || text == "":
				return &Error{Kind: BadValue, Setting: from, Problem: name + " is not a string, or is empty"}
			}
			*fields[name] = text
		}
		if account.User == "" || account.Host == "" {
			return &Error{Kind: Missing, Setting: from, Problem: "an account has user and host", Fix: "give both; '*' is any"}
		}
		*into = append(*into, account)
	}
	return nil
}

// checkAccounts refuses certificates that nobody asks clients for.
func (l *loader) checkAccounts() error {
	for key, accounts := range map[string][]ClientAccount{accountsKey: l.config.Clients.Accounts, annotatorsKey: l.config.Policy.Annotators} {
		named := slices.ContainsFunc(accounts, func(a ClientAccount) bool { return a.Certificate != "" })
		if named && l.config.TLS.ClientCA == "" {
			return &Error{Kind: Conflict, Setting: key, Problem: "name certificates that clients are not asked for", Fix: "give --tls-client-ca"}
		}
	}
	return nil
}
