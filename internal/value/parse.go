package value

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tunic/internal/value/charset"
)

var errType = errors.New("not a column type")

// synonyms are names that COLUMN_TYPE never shows but people write.
var synonyms = map[string]Kind{
	"integer": Int, "bool": TinyInt, "boolean": TinyInt, "numeric": Decimal, "dec": Decimal, "fixed": Decimal,
	"real": Double, "double precision": Double, "geomcollection": GeometryCollection,
}

// Parse reads a type as information_schema.COLUMNS.COLUMN_TYPE writes it:
//
//	int(10) unsigned zerofill, decimal(10,2), enum('a','b'), datetime(6)
//
// The collation is that of text, ENUM and SET; others have none.
func Parse(text string, c *charset.Collation) (*Type, error) {
	name, args, attributes, err := splitType(text)
	if err != nil {
		return nil, err
	}
	t := &Type{}
	if t.Kind = kindNamed(name); t.Kind == Invalid {
		return nil, fmt.Errorf("%q: %w", name, errType)
	}
	for attribute := range strings.FieldsSeq(attributes) {
		switch attribute {
		case "unsigned":
			t.Unsigned = true
		case "zerofill":
			t.Unsigned, t.Zerofill = true, true
		}
	}
	if err := t.setArguments(args); err != nil {
		return nil, err
	}
	if t.Kind.IsText() || t.Kind == Enum || t.Kind == Set || t.Kind == JSON {
		t.Collation = c
	}
	if t.Labels != nil {
		t.convertLabels()
	}
	return t, nil
}

// convertLabels brings labels from UTF-8 into the column's character set.
func (t *Type) convertLabels() {
	from, ok := charset.CharsetByName(t.Collation.Flavor, "utf8mb4")
	if !ok || from == t.Collation.Charset {
		return
	}
	for i, label := range t.Labels {
		t.Labels[i], _ = charset.Convert(nil, t.Collation.Charset, from, label)
	}
}

func kindNamed(name string) Kind {
	if k, ok := synonyms[name]; ok {
		return k
	}
	for k := Invalid + 1; k < kindEnd; k++ {
		if kindNames[k] == name {
			return k
		}
	}
	return Invalid
}

// splitType splits "name(arguments) attributes".
func splitType(text string) (name, args, attributes string, err error) {
	open := strings.IndexByte(text, '(')
	if open < 0 {
		name, attributes, _ = strings.Cut(text, " ")
		return strings.ToLower(name), "", attributes, nil
	}
	quoted := false
	for i := open + 1; i < len(text); i++ {
		switch {
		case text[i] == '\'':
			quoted = !quoted
		case text[i] == ')' && !quoted:
			return strings.ToLower(strings.TrimSpace(text[:open])), text[open+1 : i], text[i+1:], nil
		}
	}
	return "", "", "", fmt.Errorf("no end of the arguments: %w", errType)
}

// setArguments reads what stands in parentheses, or what stands for it.
func (t *Type) setArguments(args string) (err error) {
	if t.Kind == Enum || t.Kind == Set {
		t.Labels, err = parseLabels(args)
		return err
	}
	first, second, two := strings.Cut(args, ",")
	numbers := [2]int{}
	for i, s := range [...]string{first, second} {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		if numbers[i], err = strconv.Atoi(s); err != nil {
			return fmt.Errorf("%q: %w", s, errType)
		}
	}
	switch {
	case t.Kind == Time || t.Kind == DateTime || t.Kind == Timestamp:
		t.Decimals = numbers[0]
	case (t.Kind == Float || t.Kind == Double) && !two:
		if numbers[0] > 24 {
			t.Kind = Double
		}
	case t.Kind == Decimal && args == "":
		t.Length = 10
	default:
		t.Length, t.Decimals = numbers[0], numbers[1]
	}
	t.setDefaultWidth(args == "")
	return nil
}

// setDefaultWidth gives a type its width where none was written. MySQL writes
// the width of integers only with ZEROFILL.
func (t *Type) setDefaultWidth(missing bool) {
	if !missing {
		return
	}
	switch t.Kind {
	case Char, Binary, Bit:
		t.Length = 1
	case Year:
		t.Length = 4
	default:
		if t.Kind.IsInteger() {
			t.Length = integerWidth(t)
		}
	}
}

// integerWidth is the display width of an integer type: its digits, and a sign.
func integerWidth(t *Type) int {
	width := map[Kind][2]int{TinyInt: {4, 3}, SmallInt: {6, 5}, MediumInt: {9, 8}, Int: {11, 10}, BigInt: {20, 20}}[t.Kind]
	if t.Unsigned {
		return width[1]
	}
	return width[0]
}

// parseLabels reads 'a','b”c'.
func parseLabels(args string) (labels [][]byte, err error) {
	for rest := args; rest != ""; {
		if rest[0] != '\'' {
			return nil, fmt.Errorf("labels: %w", errType)
		}
		var label []byte
		i := 1
		for ; ; i++ {
			if i >= len(rest) {
				return nil, fmt.Errorf("a label without end: %w", errType)
			}
			if rest[i] == '\'' {
				if i+1 == len(rest) || rest[i+1] != '\'' {
					break
				}
				i++
			}
			label = append(label, rest[i])
		}
		labels = append(labels, label)
		rest = strings.TrimPrefix(rest[i+1:], ",")
	}
	return labels, nil
}
