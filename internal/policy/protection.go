package policy

import (
	"errors"
	"strconv"
	"strings"
)

// Capabilities is a set of what layers let the server do.
type Capabilities uint8

// The capabilities that a layer can give.
const (
	Equality Capabilities = 1 << iota // compare for equality: =, IN, GROUP BY, UNIQUE, joins
	Order                             // compare for order: <, BETWEEN, ORDER BY, MIN
)

// Each is every capability that there is. A loop over capabilities is over this list, and in each package that
// has a word or a key for them a test is.
func Each() []Capabilities { return []Capabilities{Equality, Order} }

// Has reports whether c holds all of d.
func (c Capabilities) Has(d Capabilities) bool { return c&d == d }

// String lists the capabilities as protections do.
func (c Capabilities) String() string { return Protection{Protected: true, Allowed: c}.String() }

// Protection is what may be stored of a column. The zero value is a plain one.
type Protection struct {
	// Protected says that the column has a sealed form.
	Protected bool
	// Allowed is the column's ceiling: the layers it may ever have.
	Allowed Capabilities
	// Grain is the step by which an order layer sorts. It is zero without one.
	Grain Grain
}

// Plain is the protection of a column that is stored as it is.
var Plain = Protection{}

// Sealed is the protection of a column that never has a layer.
var Sealed = Protection{Protected: true}

// Errors of Parse. They name what is wrong and none of the text.
var (
	ErrEmpty     = errors.New("it is empty; say plain, sealed, equality or order")
	ErrWord      = errors.New("it has a word that is none of plain, sealed, equality and order")
	ErrTwice     = errors.New("it says the same thing twice")
	ErrAlone     = errors.New("plain and sealed stand alone")
	ErrGrain     = errors.New("order/… takes day, month, year, hour, minute, second, a whole number from 2, or prefix and a number of characters")
	ErrNotOrder  = errors.New("only order takes a grain")
	ErrRedundant = errors.New("order without a grain includes equality; say order")
	errMark      = errors.New("an annotation is tunic: and its words, at the beginning of the comment or behind a semicolon")
)

// Parse reads a protection. Letters may be of either case, and spaces stand
// between words as one likes.
func Parse(text string) (Protection, error) {
	if strings.TrimSpace(text) == "" {
		return Protection{}, ErrEmpty
	}
	words := strings.Split(text, ",")
	p := Protection{Protected: true}
	for _, w := range words {
		if err := p.word(strings.ToLower(strings.Join(strings.Fields(w), " ")), len(words) == 1); err != nil {
			return Protection{}, err
		}
	}
	switch {
	case p.Allowed == Equality|Order && p.Grain == (Grain{}) && len(words) > 1:
		return Protection{}, ErrRedundant
	case p.Allowed == Order && p.Grain == (Grain{}):
		p.Allowed |= Equality // who sees the order of all values sees which are equal
	}
	return p, nil
}

// word adds one word, in lower case with single spaces.
func (p *Protection) word(w string, alone bool) error {
	w, grain, grained := strings.Cut(w, "/")
	var c Capabilities
	switch strings.TrimSpace(w) {
	case "plain", "sealed":
		switch {
		case !alone:
			return ErrAlone
		case grained:
			return ErrNotOrder
		}
		p.Protected = w == "sealed"
		return nil
	case "equality":
		c = Equality
	case "order":
		c = Order
	case "":
		return ErrEmpty
	default:
		return ErrWord
	}
	if p.Allowed.Has(c) {
		return ErrTwice
	}
	p.Allowed |= c
	if !grained {
		return nil
	}
	if c != Order {
		return ErrNotOrder
	}
	var err error
	p.Grain, err = ParseGrain(strings.TrimSpace(grain))
	return err
}

// String is the protection as Parse reads it.
func (p Protection) String() string {
	switch {
	case !p.Protected:
		return "plain"
	case p.Allowed == 0:
		return "sealed"
	case p.Allowed == Equality:
		return "equality"
	case p.Grain == (Grain{}):
		return "order"
	case p.Allowed == Order:
		return "order/" + p.Grain.String()
	}
	return "equality, order/" + p.Grain.String()
}

// Within reports whether p shows the server no more than q does.
func (p Protection) Within(q Protection) bool {
	switch {
	case !q.Protected:
		return true
	case !p.Protected, !q.Allowed.Has(p.Allowed):
		return false
	case !p.Allowed.Has(Order):
		return true
	}
	return p.Grain.within(q.Grain)
}

// Grain is a step of an order layer: it sorts by the value rounded down to it.
// The zero value is none: the layer sorts by every difference.
type Grain struct {
	Unit Unit
	Size uint64 // of Step and Prefix
}

// Unit is what a grain counts in.
type Unit uint8

// The units of a grain.
const (
	Exact  Unit = iota
	Second      // of a DATETIME, TIMESTAMP or TIME
	Minute
	Hour
	Day // of a DATE as well, as are those after it
	Month
	Year
	Step   // a multiple of Size, of a number
	Prefix // Size characters, of a string
)

var unitNames = [...]string{
	Second: "second", Minute: "minute", Hour: "hour", Day: "day", Month: "month", Year: "year",
}

// ParseGrain reads what String writes, in lower case: what follows order/.
func ParseGrain(text string) (Grain, error) {
	for u, name := range unitNames {
		if name != "" && text == name {
			return Grain{Unit: Unit(u)}, nil
		}
	}
	g := Grain{Unit: Step}
	if rest, ok := strings.CutPrefix(text, "prefix "); ok {
		text, g.Unit = rest, Prefix
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || n == 0 || g.Unit == Step && n == 1 || g.Unit == Prefix && n > prefixMax {
		return Grain{}, ErrGrain
	}
	g.Size = n
	return g, nil
}

// prefixMax is the longest prefix, in characters: no more of a string is in an
// order layer anyway.
const prefixMax = 16

// String is the grain as it follows order/; "" for none.
func (g Grain) String() string {
	switch g.Unit {
	case Exact:
		return ""
	case Step:
		return strconv.FormatUint(g.Size, 10)
	case Prefix:
		return "prefix " + strconv.FormatUint(g.Size, 10)
	default:
		return unitNames[g.Unit]
	}
}

// within reports whether g tells two values apart only where h does.
func (g Grain) within(h Grain) bool {
	switch {
	case h.Unit == Exact:
		return true
	case g.Unit == Step && h.Unit == Step:
		return g.Size%h.Size == 0
	case g.Unit == Prefix && h.Unit == Prefix:
		return g.Size <= h.Size
	case g.Unit >= Second && g.Unit <= Year && h.Unit >= Second && h.Unit <= Year:
		return g.Unit >= h.Unit
	}
	return false
}
