package config

import (
	"regexp"
	"strings"
)

// Names in the environment.
const (
	envPrefix     = "TUNIC_"
	envConfig     = "TUNIC_CONFIG"
	envPassword   = "TUNIC_SERVICE_PASSWORD"
	envPassphrase = "TUNIC_KEY_PASSPHRASE" //nolint:gosec // the name of a variable
)

// envName is the variable of a flag.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// serviceLink matches what Kubernetes and Docker put in every container beside
// a service that is called tunic: TUNIC_PORT_3307_TCP_ADDR and its like. They
// are no settings and no mistakes.
var serviceLink = regexp.MustCompile(`^TUNIC_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?)$`)

// testPrefix marks variables of tunic's own tests.
const testPrefix = "TUNIC_TEST_"

// readEnviron keeps what settings are read from: TUNIC_* variables, of which
// none may be unknown, and those that say where state is kept.
func readEnviron(environ []string) (map[string]string, error) {
	env := map[string]string{}
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		switch {
		case !strings.HasPrefix(name, envPrefix):
			env[name] = value
		case isEnvSetting(name):
			env[name] = value
		case serviceLink.MatchString(name), strings.HasPrefix(name, testPrefix):
		default:
			return nil, &Error{
				Kind: UnknownSetting, Setting: name,
				Problem: "no setting has this environment variable",
				Fix:     fixName(name, envNames(), "unset it"),
			}
		}
	}
	return env, nil
}

func isEnvSetting(name string) bool {
	for _, known := range envNames() {
		if name == known {
			return true
		}
	}
	return false
}

func envNames() []string {
	names := []string{envConfig}
	for _, s := range table {
		names = append(names, s.Env)
	}
	return names
}

// loadEnviron sets what the environment says. A variable that is empty counts
// as not set, so that a line of a compose file can be left blank; only the
// service account's password may be empty.
func (l *loader) loadEnviron(env map[string]string) error {
	for i := range table {
		s := &table[i]
		text, ok := env[s.Env]
		if !ok || (text == "" && s.Env != envPassword) {
			continue
		}
		if err := l.set(s, layerEnviron, s.Env, text); err != nil {
			return err
		}
	}
	return nil
}
