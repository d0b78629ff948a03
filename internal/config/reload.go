package config

import (
	"reflect"
	"slices"
)

// Changes are the settings that a reload finds to be others, by their keys.
type Changes struct {
	// Applied are those that the new Config has.
	Applied []string
	// Restart are those that it does not have, and that tunic would have after a restart.
	Restart []string
}

// Reload reads all sources again. What it gives is the Config of a tunic that runs with current: it
// has the settings that may change while it runs from the sources, and the others from current. An
// error is an [*Error]: of what the sources say, or of how the two go together.
func Reload(s Sources, current *Config) (*Config, Changes, error) {
	l, err := load(s)
	if err != nil {
		return nil, Changes{}, err
	}
	next := merge(current, l.config)
	changes := differences(current, l.config)
	l.config = next
	for _, check := range []func() error{l.checkTLS, l.checkPolicy, l.checkAccounts} {
		if err := check(); err != nil {
			return nil, Changes{}, err
		}
	}
	return next, changes, nil
}

// merge is current with what may change of loaded.
func merge(current, loaded *Config) *Config {
	next := *current
	next.Policy, next.Clients, next.Limits = loaded.Policy, loaded.Clients, loaded.Limits
	next.Policy.Layers, next.Policy.LayersAfter = current.Policy.Layers, current.Policy.LayersAfter
	next.TLS.Cert, next.TLS.Key, next.TLS.ClientCA = loaded.TLS.Cert, loaded.TLS.Key, loaded.TLS.ClientCA
	next.Limits.Memory = current.Limits.Memory
	return &next
}

// differences are the settings in which two Configs differ.
func differences(current, loaded *Config) (d Changes) {
	for i := range table {
		s := &table[i]
		switch {
		case reflect.DeepEqual(s.field(current), s.field(loaded)), s.Env == envPassword && current.Service.PasswordFile != "":
		case s.Reload:
			d.Applied = append(d.Applied, s.name())
		default:
			d.Restart = append(d.Restart, s.name())
		}
	}
	for key, lists := range map[string][2]any{
		rulesKey:      {current.Policy.Rules, loaded.Policy.Rules},
		accountsKey:   {current.Clients.Accounts, loaded.Clients.Accounts},
		annotatorsKey: {current.Policy.Annotators, loaded.Policy.Annotators},
	} {
		if !reflect.DeepEqual(lists[0], lists[1]) {
			d.Applied = append(d.Applied, key)
		}
	}
	if current.Service.PasswordFile != "" && loaded.Service.PasswordFile != "" && current.Service.Password.Reveal() != loaded.Service.Password.Reveal() {
		d.Restart = append(d.Restart, "service.password_file")
	}
	slices.Sort(d.Applied)
	slices.Sort(d.Restart)
	d.Restart = slices.Compact(d.Restart)
	return d
}

// name is the setting's key, or its variable if it has none.
func (s *setting) name() string {
	if s.Key == "" {
		return s.Env
	}
	return s.Key
}
