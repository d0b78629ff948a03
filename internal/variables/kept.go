package variables

import (
	"slices"
	"strings"

	"tunic/internal/binding"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Kept are the user variables that tunic keeps.
type Kept struct {
	kept  map[string]*binding.Variable
	kin   map[string]*kin // of those that others are computed from, and of those
	keys  map[string]bool // those that ciphers have had for a key: the server gets none
	texts map[string]bool // those of keys that are none: texts of statements over protected tables, which may be prepared again
	spent []string        // those that are keys in the statement under way: what comes of it is none
	given []string        // those of them that are given to it behind USING
	bytes int64           // of their names and values
}

// kin are variables of which one has been computed from another: one tells of the others.
type kin struct{ of *kin }

// root is what stands for all of a kin.
func (k *kin) root() *kin {
	for k.of != nil {
		k = k.of
	}
	return k
}

// relate makes a variable that is set kin of those that its value is computed from: it is
// secret if one of them is.
func (u *Kept) relate(name string, v *binding.Variable) {
	own := &kin{}
	related, key, text := false, false, true
	for _, from := range v.From {
		source := u.kept[from]
		if source == nil {
			continue
		}
		v.Secret = v.Secret || source.Secret
		if related = true; u.keys[from] && !slices.Contains(u.spent, from) {
			key, text = true, text && u.texts[from]
		}
		if k := u.kin[from]; k != nil {
			if root := k.root(); root != own {
				own.of = root
				own = root
			}
		} else if from != name {
			u.join(from, own)
		}
	}
	v.From = nil
	delete(u.kin, name)
	delete(u.keys, name)
	delete(u.texts, name)
	if key {
		u.keys[name] = true
	}
	if key && text {
		u.texts[name] = true
	}
	if related {
		u.join(name, own)
	}
}

func (u *Kept) join(name string, k *kin) {
	if u.kin == nil {
		u.kin = make(map[string]*kin)
	}
	u.kin[name] = k
}

// Hide makes a variable secret, and its kin.
func (u *Kept) Hide(name string) {
	v := u.kept[name]
	if v == nil || v.Secret {
		return
	}
	v.Secret = true
	k := u.kin[name]
	if k == nil {
		return
	}
	for other, of := range u.kin {
		if o := u.kept[other]; o != nil && of.root() == k.root() {
			o.Secret = true
		}
	}
}

// IsKey notes that variables have been keys of ciphers.
func (u *Kept) IsKey(names []string) {
	for _, name := range names {
		if u.kept[name] == nil {
			continue // it is the server's
		}
		if u.keys == nil {
			u.keys = make(map[string]bool)
		}
		u.keys[name] = true
	}
}

// IsText notes that a statement over protected tables is prepared from a variable: what is
// written out in it, and in those that it is computed from, the server is not to have.
func (u *Kept) IsText(name string) {
	u.withholdText(name)
	k := u.kin[name]
	if k == nil {
		return
	}
	for other, of := range u.kin {
		if of.root() == k.root() {
			u.withholdText(other)
		}
	}
}

func (u *Kept) withholdText(name string) {
	if u.kept[name] == nil || u.keys[name] {
		return // it is the server's, or withheld
	}
	u.IsKey([]string{name})
	if u.texts == nil {
		u.texts = make(map[string]bool)
	}
	u.texts[name] = true
}

// Any reports whether there is one.
func (u *Kept) Any() bool { return len(u.kept) > 0 }

// Get is one of them; nil if the server has it. Whoever changes it knows that it may be told on.
func (u *Kept) Get(name string) *binding.Variable { return u.kept[name] }

// WasKey reports whether a cipher has had a variable for a key, or a statement over protected tables for its text.
func (u *Kept) WasKey(name string) bool { return u.keys[name] }

// WasText reports whether it was the latter alone.
func (u *Kept) WasText(name string) bool { return u.texts[name] }

// Spends notes the keys of the statement under way.
func (u *Kept) Spends(keys []string) { u.spent = slices.Concat(keys, u.given) }

// Gives notes the keys among what is behind USING.
func (u *Kept) Gives(names []string) {
	u.IsKey(names)
	u.given = names
}

// Gave is behind the statement that they were given to.
func (u *Kept) Gave() { u.given = nil }

// IsSecret reports whether a variable is kept whose value goes with a protected column.
func (u *Kept) IsSecret(name string) bool {
	v := u.kept[name]
	return v != nil && v.Secret
}

// withheld reports whether the server is not to have a variable.
func (u *Kept) withheld(name string) bool { return u.kept[name].Secret || u.keys[name] }

// variableBytesMax bounds the memory of a session's user variables.
const variableBytesMax = 16 << 20

// variableNameMax is the longest name that servers take (MySQL manual, "User-Defined
// Variables").
const variableNameMax = 64

// Keepable reports whether a variable can be kept: of names outside ASCII nobody knows
// here which are alike.
func Keepable(name string) bool {
	return name != "" && len(name) <= variableNameMax && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && r != '$' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	})
}

func bytesOf(name string, v *binding.Variable) int64 {
	const overhead = 128
	return int64(len(name)+len(v.Source.Bytes)) + overhead
}

// Set keeps a value.
func (u *Kept) Set(name string, v binding.Variable) error {
	grown := u.bytes + bytesOf(name, &v)
	if old := u.kept[name]; old != nil {
		grown -= bytesOf(name, old)
		if v.Null && v.Source.Form == value.FormString && v.Source.Collation == nil { // NULL itself has no type
			v.Source.Form, v.Source.Collation = old.Source.Form, old.Source.Collation
		}
	}
	if grown > variableBytesMax {
		return sqlerr.VariablesTooLarge(variableBytesMax)
	}
	if u.kept == nil {
		u.kept = make(map[string]*binding.Variable)
	}
	u.relate(name, &v)
	u.kept[name], u.bytes = &v, grown
	if v.Secret { // so are those that it is computed from
		v.Secret = false
		u.Hide(name)
	}
	return nil
}

// Drop leaves a variable to the server.
func (u *Kept) Drop(name string) {
	if old := u.kept[name]; old != nil {
		u.bytes -= bytesOf(name, old)
		delete(u.kept, name)
		delete(u.kin, name)
		delete(u.keys, name)
		delete(u.texts, name)
	}
}

// Clear forgets them all.
func (u *Kept) Clear() { *u = Kept{} }

// Named are the kept variables among those that a server reads, or may read.
func (u *Kept) Named(read plan.Variables) (names []string, secret bool) {
	add := func(name string) {
		names = append(names, name)
		secret = secret || u.withheld(name)
	}
	if read.Any || read.Programs {
		for name := range u.kept {
			if !u.withheld(name) || read.Any || slices.Contains(read.Names, name) || read.Calls {
				add(name)
			}
		}
		slices.Sort(names)
		return names, secret
	}
	for _, name := range read.Names {
		if u.kept[name] != nil {
			add(name)
		}
	}
	return names, secret
}
