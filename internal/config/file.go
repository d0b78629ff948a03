package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// fileBytesMax bounds a configuration file; a real one has a few kilobytes.
const fileBytesMax = 1 << 20

// loadFile sets what the TOML file says; path "" is no file, and as is where
// the path was written.
func (l *loader) loadFile(path, as string) error {
	if path == "" {
		return nil
	}
	text, err := readRegular(path, fileBytesMax)
	if err != nil {
		return fileError(as+" "+path, err.Error())
	}
	var tree map[string]any
	if _, err := toml.Decode(string(text), &tree); err != nil {
		return fileError(as+" "+path, tomlProblem(err))
	}
	return l.loadTree(path, "", tree)
}

func fileError(setting, problem string) *Error {
	return &Error{Kind: BadFile, Setting: setting, Problem: problem}
}

// tomlProblem is what the parser says, and where. It is not repeated after a
// key that is about a password or passphrase: the parser quotes values.
func tomlProblem(err error) string {
	parse, ok := errors.AsType[toml.ParseError](err)
	if !ok {
		return "is not TOML"
	}
	problem := fmt.Sprintf("line %d is not TOML", parse.Position.Line)
	if parse.Message != "" && !strings.Contains(strings.ToLower(parse.LastKey), "pass") {
		problem += ": " + strings.Join(strings.Fields(parse.Message), " ")
	}
	return problem
}

// loadTree walks a table of the file, keys in order, so that the first mistake
// reported is always the same.
func (l *loader) loadTree(path, prefix string, tree map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		key := prefix + name
		if sub, ok := tree[name].(map[string]any); ok && isTable(key) {
			if err := l.loadTree(path, key+".", sub); err != nil {
				return err
			}
			continue
		}
		if err := l.loadEntry(path, key, tree[name]); err != nil {
			return err
		}
	}
	return nil
}

// loadEntry reads a setting, or one of the lists that have no flag and no variable.
func (l *loader) loadEntry(path, key string, value any) error {
	switch key {
	case rulesKey:
		return l.loadRules(path, value)
	case accountsKey:
		return l.loadAccounts(path, key, value, &l.config.Clients.Accounts)
	case annotatorsKey:
		return l.loadAccounts(path, key, value, &l.config.Policy.Annotators)
	}
	return l.loadKey(path, key, value)
}

// isTable reports whether settings have keys below key.
func isTable(key string) bool {
	return slices.ContainsFunc(table, func(s setting) bool { return strings.HasPrefix(s.Key, key+".") })
}

func (l *loader) loadKey(path, key string, value any) error {
	as := key + " in " + path
	i := slices.IndexFunc(table, func(s setting) bool { return s.Key != "" && s.Key == key })
	if i < 0 {
		return &Error{
			Kind: UnknownSetting, Setting: as, Problem: "no setting has this key", Fix: fixKey(key),
		}
	}
	text, ok := scalarText(value)
	if !ok {
		return &Error{Kind: BadValue, Setting: as, Problem: "is not a single value"}
	}
	if t, ok := table[i].field(l.config).(pathful); ok {
		text = t.below(filepath.Dir(path), text)
	}
	return l.set(&table[i], layerFile, as, text)
}

// fixKey proposes a key, and knows where the password belongs.
func fixKey(key string) string {
	if key == "service.password" {
		return "a password does not belong in this file: use service.password_file or " + envPassword
	}
	if key == "key_passphrase" {
		return "a passphrase does not belong in this file: use key_passphrase_file or " + envPassphrase
	}
	keys := make([]string, 0, len(table))
	for _, s := range table {
		if s.Key == "" {
			continue
		}
		if fold(s.Flag) == fold(key) {
			return "did you mean " + s.Key + "?"
		}
		keys = append(keys, s.Key)
	}
	return fixName(key, keys, "remove it; tunic help config lists the keys")
}

// scalarText is a TOML value as a flag would have it.
func scalarText(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	default:
		return "", false
	}
}

// readRegular reads a regular file of at most bytesMax bytes.
func readRegular(path string, bytesMax int64) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	return readUpTo(f, bytesMax)
}

// openRegular opens a file that is one; a folder, a device or a pipe is
// refused before opening could block.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, pathCause(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, pathCause(err)
	}
	return f, nil
}
