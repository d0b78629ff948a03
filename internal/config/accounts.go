package config

import (
	"fmt"
	"maps"
	"slices"
)

// accountsKey is a list of tables, as rulesKey is.
const accountsKey = "clients.accounts"

var accountKeys = []string{"user", "host", "certificate"}

// loadAccounts reads [[clients.accounts]].
func (l *loader) loadAccounts(path string, value any) error {
	list, ok := value.([]map[string]any)
	if !ok {
		return &Error{Kind: BadValue, Setting: accountsKey + " in " + path, Problem: "is not a list of tables", Fix: "write [[clients.accounts]]"}
	}
	for i, table := range list {
		from := fmt.Sprintf("%s, number %d, in %s", accountsKey, i+1, path)
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
		l.config.Clients.Accounts = append(l.config.Clients.Accounts, account)
	}
	return nil
}

// checkAccounts refuses certificates that nobody asks clients for.
func (l *loader) checkAccounts() error {
	named := slices.ContainsFunc(l.config.Clients.Accounts, func(a ClientAccount) bool { return a.Certificate != "" })
	if named && l.config.TLS.ClientCA == "" {
		return &Error{Kind: Conflict, Setting: accountsKey, Problem: "name certificates that clients are not asked for", Fix: "give --tls-client-ca"}
	}
	return nil
}
