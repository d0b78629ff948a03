package session

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"tunic/internal/backend"
	"tunic/internal/catalog"
	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	collations "tunic/internal/value/charset"
	"tunic/internal/wire"
)

// userVariables are the user variables that tunic keeps: the server does not have their
// values. Where it has a variable of the same name, its value is of no account.
//
// What a client sets a variable to may go into a protected column, so that the server
// gets it only when a statement over plain tables reads the variable; what comes from a
// protected column it never gets.
type userVariables struct {
	kept  map[string]*exec.Variable
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
func (u *userVariables) relate(name string, v *exec.Variable) {
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

func (u *userVariables) join(name string, k *kin) {
	if u.kin == nil {
		u.kin = make(map[string]*kin)
	}
	u.kin[name] = k
}

// hide makes a variable secret, and its kin.
func (u *userVariables) hide(name string) {
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

// isKey notes that variables have been keys of ciphers.
func (u *userVariables) isKey(names []string) {
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

// isText notes that a statement over protected tables is prepared from a variable: what is
// written out in it, and in those that it is computed from, the server is not to have.
func (u *userVariables) isText(name string) {
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

func (u *userVariables) withholdText(name string) {
	if u.kept[name] == nil || u.keys[name] {
		return // it is the server's, or withheld
	}
	u.isKey([]string{name})
	if u.texts == nil {
		u.texts = make(map[string]bool)
	}
	u.texts[name] = true
}

// withheld reports whether the server is not to have a variable.
func (u *userVariables) withheld(name string) bool { return u.kept[name].Secret || u.keys[name] }

// variableBytesMax bounds the memory of a session's user variables.
const variableBytesMax = 16 << 20

// variableNameMax is the longest name that servers take (MySQL manual, "User-Defined
// Variables").
const variableNameMax = 64

// keepable reports whether a variable can be kept: of names outside ASCII nobody knows
// here which are alike.
func keepable(name string) bool {
	return name != "" && len(name) <= variableNameMax && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && r != '$' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	})
}

func bytesOf(name string, v *exec.Variable) int64 {
	const overhead = 128
	return int64(len(name)+len(v.Source.Bytes)) + overhead
}

// set keeps a value.
func (u *userVariables) set(name string, v exec.Variable) error {
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
		u.kept = make(map[string]*exec.Variable)
	}
	u.relate(name, &v)
	u.kept[name], u.bytes = &v, grown
	if v.Secret { // so are those that it is computed from
		v.Secret = false
		u.hide(name)
	}
	return nil
}

// drop leaves a variable to the server.
func (u *userVariables) drop(name string) {
	if old := u.kept[name]; old != nil {
		u.bytes -= bytesOf(name, old)
		delete(u.kept, name)
		delete(u.kin, name)
		delete(u.keys, name)
		delete(u.texts, name)
	}
}

func (u *userVariables) clear() { *u = userVariables{} }

// sessionVariables makes of a session the exec.Variables of its carrier.
type sessionVariables struct{ *Session }

// Bound notes that a variable goes with a protected column.
func (s sessionVariables) Bound(name string) {
	s.variables.hide(name)
}

// Read returns the values of variables. Those that are not kept the server is asked for.
func (s sessionVariables) Read(names []string) ([]exec.Variable, error) {
	all := make([]exec.Variable, len(names))
	var asked []string
	for i, name := range names {
		switch v := s.variables.kept[name]; {
		case v != nil:
			all[i] = *v
			all[i].Key = s.variables.keys[name]
		case !keepable(name):
			return nil, sqlerr.StatementRefused("a user variable with such a name on protected data")
		default:
			asked = append(asked, name)
		}
	}
	if len(asked) == 0 {
		return all, nil
	}
	told, err := s.askVariables(asked)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if at := slices.Index(asked, name); at >= 0 {
			all[i] = told[at]
		}
	}
	return all, nil
}

// variableColumns is how many columns the server is asked for each variable.
const variableColumns = 4

// Tell asks the server for what the session says of itself.
func (s sessionVariables) Tell(expressions []string) ([]exec.Variable, error) {
	all := make([]exec.Variable, len(expressions))
	var asked []string
	var at []int
	for i, of := range expressions {
		if of != recipe.RowCount && of != recipe.FoundRows {
			asked, at = append(asked, of), append(at, i)
			continue
		}
		var err error
		if all[i], err = s.tellCount(of); err != nil {
			return nil, err
		}
	}
	if len(asked) > 0 {
		told, err := s.askValues(asked)
		if err != nil {
			return nil, err
		}
		for i := range told {
			all[at[i]] = told[i]
		}
	}
	for i := range all {
		all[i].Source.Variable, all[i].Source.System = false, true
	}
	return all, nil
}

// askVariables asks the server for variables.
func (s *Session) askVariables(names []string) ([]exec.Variable, error) {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = "@" + catalog.Quoted(name)
	}
	return s.askValues(all)
}

// askValues asks the server for expressions without a table.
func (s *Session) askValues(names []string) ([]exec.Variable, error) {
	text := []byte("SELECT ")
	for i, v := range names {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = append(text, v+", "+v+" IS NULL, CAST("+v+" AS BINARY), COLLATION("+v+")"...)
	}
	text = append(text, " LIMIT 1"...)
	columns, rows, err := s.server.Rows(text)
	switch {
	case errors.Is(err, backend.ErrAnswered):
		return nil, sqlerr.StatementRefused("a user variable that the server does not tell")
	case err != nil:
		return nil, &exec.BrokenError{Err: err}
	case len(rows) != 1 || len(columns) != variableColumns*len(names):
		return nil, sqlerr.StatementRefused("a user variable that the server does not tell")
	}
	all := make([]exec.Variable, len(names))
	for i := range all {
		at := i * variableColumns
		if all[i], err = s.toldVariable(&columns[at], rows[0][at+1] == "1", rows[0][at+2], rows[0][at+3]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// toldVariable is a variable as the server has told it.
func (s *Session) toldVariable(c *wire.ColumnDefinition, null bool, text, collation string) (exec.Variable, error) {
	v := exec.Variable{Null: null}
	v.Source.Variable = true
	refused := sqlerr.StatementRefused("a user variable of a type that tunic does not know")
	var err error
	switch c.Type {
	case wire.TypeLongLong, wire.TypeLong, wire.TypeNewDecimal, wire.TypeDouble: // a character of the connection's may be wide
		text = strings.ReplaceAll(text, "\x00", "")
	default:
	}
	switch c.Type {
	case wire.TypeLongLong, wire.TypeLong:
		if v.Source.Form = value.FormInt; c.Flags&value.FlagUnsigned != 0 {
			v.Source.Form = value.FormUint
		}
		if !null {
			v.Source.Number, err = parseInteger(text)
		}
	case wire.TypeNewDecimal:
		v.Source.Form, v.Source.Bytes = value.FormDecimal, []byte(text)
	case wire.TypeDouble:
		if v.Source.Form = value.FormDouble; !null {
			var f float64
			f, err = strconv.ParseFloat(text, 64)
			v.Source.Number = value.DoubleSource(f).Number
		}
	default:
		v.Source.Form, v.Source.Bytes = value.FormString, []byte(text)
		if collation == "binary" || null {
			break
		}
		known, ok := collations.Lookup(flavorOf(s.state.modes), collation)
		if !ok {
			return v, refused
		}
		v.Source.Collation = known
	}
	if err != nil {
		return v, refused
	}
	return v, nil
}

// parseInteger reads an integer with a sign or without.
func parseInteger(text string) (uint64, error) {
	if strings.HasPrefix(text, "-") {
		n, err := strconv.ParseInt(text, 10, 64)
		return uint64(n), err
	}
	return strconv.ParseUint(text, 10, 64)
}

func flavorOf(m sql.Modes) value.Flavor {
	switch {
	case m&sql.MariaDB != 0:
		return value.MariaDB
	case m&sql.TiDB != 0:
		return value.TiDB
	}
	return value.MySQL
}

// named are the kept variables that statements to be forwarded read, or may read.
func (u *userVariables) named(p *plan.Plan) (names []string, secret bool) {
	add := func(name string) {
		names = append(names, name)
		secret = secret || u.withheld(name)
	}
	if p.AnyVariable || p.Programs {
		for name := range u.kept {
			if !u.withheld(name) || p.AnyVariable || slices.Contains(p.Variables, name) || p.Calls {
				add(name)
			}
		}
		slices.Sort(names)
		return names, secret
	}
	for _, name := range p.Variables {
		if u.kept[name] != nil {
			add(name)
		}
	}
	return names, secret
}

// unkept prepares for forwarding a statement that reads variables that are kept: the
// server gets them, if it may, and has them from then on.
func (s *Session) unkept(p *plan.Plan) error {
	if len(s.variables.kept) == 0 {
		return nil
	}
	names, secret := s.variables.named(p)
	switch {
	case len(names) == 0:
		return nil
	case secret:
		return sqlerr.VariableSecret()
	}
	return s.giveVariables(names)
}

// functionsRead gives the server the variables that it may have, before a stored function runs that
// may read them; p is nil where nothing runs.
func (s *Session) functionsRead(p *plan.Plan) error {
	if p == nil || !p.Functions {
		return nil
	}
	return s.unkept(&plan.Plan{Programs: true})
}

// unkeptOf is unkept for a text that is not forwarded as it came, but read by the server.
func (s *Session) unkeptOf(text []byte) error {
	if len(s.variables.kept) == 0 {
		return nil
	}
	p := &plan.Plan{}
	p.Variables, p.AnyVariable = sql.UserVariables(text, s.state.modes)
	return s.unkept(p)
}

// giveVariables gives the server the values of variables.
func (s *Session) giveVariables(names []string) error {
	text := []byte("SET ")
	for i, name := range names {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = append(text, "@"+catalog.Quoted(name)+" = "...)
		text = s.variables.kept[name].AppendLiteral(text)
	}
	client := &definitionClient{session: s}
	err := client.Exec(s.life, string(text))
	if client.broken != nil {
		return &exec.BrokenError{Err: client.broken}
	}
	if err != nil {
		return sqlerr.StatementRefused("a user variable that the server does not take")
	}
	for _, name := range names {
		s.variables.drop(name)
	}
	return nil
}
