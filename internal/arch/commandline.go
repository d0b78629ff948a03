package arch

import (
	"go/ast"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// commandLine reads the sub-commands and flags of tunic from the tags of the
// structs that describe its command line in cmd and in room config: a field
// tagged cmd is a sub-command, one tagged arg an argument, any other field
// with a help text a flag. Names follow the tag name, or else the field's
// name, in lower case with hyphens.
func (r *repo) commandLine() (verbs, flags map[string]bool) {
	verbs = map[string]bool{}
	flags = map[string]bool{"help": true}
	for _, f := range r.code {
		if room := roomOf(f.dir); f.test || room != "cmd" && room != "config" {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if s, ok := n.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					enterField(field, verbs, flags)
				}
			}
			return true
		})
	}
	return verbs, flags
}

// enterField enters one struct field that is part of a command line.
func enterField(field *ast.Field, verbs, flags map[string]bool) {
	if field.Tag == nil || len(field.Names) != 1 {
		return
	}
	raw, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return
	}
	tag := reflect.StructTag(raw)
	name := tag.Get("name")
	if name == "" {
		name = hyphenated(field.Names[0].Name)
	}
	_, isVerb := tag.Lookup("cmd")
	_, isArg := tag.Lookup("arg")
	_, hasHelp := tag.Lookup("help")
	switch {
	case isVerb:
		verbs[name] = true
	case hasHelp && !isArg:
		flags[name] = true
	}
}

// hyphenated turns BackendTLSMode into backend-tls-mode.
func hyphenated(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, c := range runes {
		startsWord := i > 0 && unicode.IsUpper(c) &&
			(unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if startsWord {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
