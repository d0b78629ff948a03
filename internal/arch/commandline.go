package arch

import (
	"go/ast"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// commandLine reads the sub-commands, flags and environment variables of tunic.
//
// In cmd, the tags of the structs that describe the command line say them: a
// field tagged cmd is a sub-command, one tagged arg an argument, any other with
// a help text a flag, under the tag name or else the field's name in lower case
// with hyphens. In config, the table of settings says them: Flag is a flag, and
// in capitals the variable. Other variables are string literals of the code.
func (r *repo) commandLine() (verbs, flags, variables map[string]bool) {
	verbs = map[string]bool{}
	flags = map[string]bool{"help": true}
	variables = map[string]bool{}
	for _, f := range r.code {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				if roomOf(f.dir) == "cmd" && !f.test {
					enterField(n, verbs, flags)
				}
			case *ast.KeyValueExpr:
				if roomOf(f.dir) == "config" && !f.test {
					enterSetting(n, flags, variables)
				}
			case *ast.BasicLit:
				if m := wholeVariablePattern.FindStringSubmatch(n.Value); m != nil {
					variables[m[1]] = true
				}
			}
			return true
		})
	}
	return verbs, flags, variables
}

// enterSetting enters the Flag: "tls-dir" of a line of the table of settings.
func enterSetting(kv *ast.KeyValueExpr, flags, variables map[string]bool) {
	if field, ok := kv.Key.(*ast.Ident); !ok || field.Name != "Flag" {
		return
	}
	lit, ok := kv.Value.(*ast.BasicLit)
	if !ok {
		return
	}
	if flag, err := strconv.Unquote(lit.Value); err == nil && flag != "" {
		flags[flag] = true
		variables["TUNIC_"+strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))] = true
	}
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
