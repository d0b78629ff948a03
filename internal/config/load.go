package config

// Sources are the places settings are read from.
type Sources struct {
	// Flags are the flags given, by name without dashes.
	Flags map[string]string
	// Environ is the environment, as os.Environ lists it.
	Environ []string
	// File is the TOML file that --config names, "" for that of TUNIC_CONFIG.
	File string
}

// Load reads all sources, checks them and gives a complete Config. An error is
// an [*Error], the first in order of file, environment, flags, checks.
func Load(s Sources) (*Config, error) {
	l, err := load(s)
	if err != nil {
		return nil, err
	}
	return l.config, nil
}

// LoadAddresses is Load for who asks a tunic, and needs to know where it listens only: what the tunic itself needs beside
// that is not looked for, such as the password of the service account, and no other file is read.
func LoadAddresses(s Sources) (*Config, error) {
	l, _, err := read(s)
	if err != nil {
		return nil, err
	}
	return l.config, l.checkAddresses()
}

func load(s Sources) (*loader, error) {
	l, env, err := read(s)
	if err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	l.config.fillDirs(env)
	return l, nil
}

// read reads all sources.
func read(s Sources) (l *loader, env map[string]string, err error) {
	l = &loader{config: Default(), written: map[string]written{}}
	if env, err = readEnviron(s.Environ); err != nil {
		return nil, nil, err
	}
	as := "--config"
	if s.File == "" {
		s.File, as = env[envConfig], envConfig
	}
	if err := l.loadFile(s.File, as); err != nil {
		return nil, nil, err
	}
	if err := l.loadEnviron(env); err != nil {
		return nil, nil, err
	}
	if err := l.loadFlags(s.Flags); err != nil {
		return nil, nil, err
	}
	return l, env, nil
}

// layer is one of the places, in order: a higher one overrides.
type layer uint8

const (
	layerDefault layer = iota
	layerFile
	layerEnviron
	layerFlags
)

// written is where a setting was last set.
type written struct {
	layer layer
	// as is how it was written there, for errors.
	as string
}

// loader is a Config on its way.
type loader struct {
	config *Config
	// written is by environment variable, the one name every setting has.
	written map[string]written
}

// set writes one setting and remembers where it came from.
func (l *loader) set(s *setting, from layer, as, text string) error {
	if err := s.field(l.config).set(text); err != nil {
		return &Error{Kind: BadValue, Setting: as, Problem: err.Error()}
	}
	l.written[s.Env] = written{from, as}
	return nil
}

func (l *loader) loadFlags(flags map[string]string) error {
	for i := range table {
		s := &table[i]
		if text, ok := flags[s.Flag]; ok && s.Flag != "" {
			if err := l.set(s, layerFlags, "--"+s.Flag, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// where is how a setting was written, or its flag when it was not.
func (l *loader) where(flag string) string {
	if w, ok := l.written[envName(flag)]; ok {
		return w.as
	}
	return "--" + flag
}
