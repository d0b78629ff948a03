package difftest

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// Pin is a difference that is known and has a reason. It must occur: a pin that
// nothing matches fails the run, but where the reason begins with "at times: ".
//
//	FLAVOR CONFIG SCRIPT/NAME FIELD  reason
//
// Each of the first four is a pattern of path.Match.
type Pin struct {
	Line                        int
	Flavor, Config, Step, Field string
	Reason                      string
	Used                        int
}

// Pins is the list in testdata/pins.txt.
type Pins struct {
	File string
	List []*Pin
}

// LoadPins reads the file. Lines that are empty or start with # do not count.
func LoadPins(file string) (*Pins, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return ParsePins(file, string(text))
}

// ParsePins reads the text of a file of pins.
func ParsePins(file, text string) (*Pins, error) {
	pins := &Pins{File: file}
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		words := strings.Fields(line)
		if len(words) < 5 {
			return nil, fmt.Errorf("%s:%d: want flavor, configuration, step, field and a reason", file, i+1)
		}
		for _, pattern := range words[:4] {
			if _, err := path.Match(pattern, ""); err != nil {
				return nil, fmt.Errorf("%s:%d: pattern %s: %w", file, i+1, pattern, err)
			}
		}
		pins.List = append(pins.List, &Pin{
			Line: i + 1, Flavor: words[0], Config: words[1], Step: words[2], Field: words[3],
			Reason: strings.Join(words[4:], " "),
		})
	}
	return pins, nil
}

// Match returns the pin of a difference, or nil. It counts its use.
func (p *Pins) Match(flavor, config, step, field string) *Pin {
	for _, pin := range p.List {
		if matches(pin.Flavor, flavor) && matches(pin.Config, config) && matches(pin.Step, step) && matches(pin.Field, field) {
			pin.Used++
			return pin
		}
	}
	return nil
}

// Stale returns the pins of a flavor that matched nothing.
func (p *Pins) Stale(flavor string) []*Pin {
	return slices.DeleteFunc(slices.Clone(p.List), func(pin *Pin) bool {
		return pin.Used > 0 || !matches(pin.Flavor, flavor)
	})
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}
