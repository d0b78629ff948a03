package layers

import (
	"encoding/hex"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/value"
)

// rowKey is a key of the stored table by which one row can be found again.
type rowKey struct {
	name  string
	parts []keyPart
}

// keyPart is a stored column of the key.
type keyPart struct {
	stored  string
	desc    bool
	literal literalKind
	// collation is that of the column, of text.
	collation, charset string
}

// String is the key's name with its stored columns, as ORDER BY has them.
func (k *rowKey) String() string {
	columns := make([]string, len(k.parts))
	for i, p := range k.parts {
		columns[i] = p.stored
		if p.desc {
			columns[i] += " DESC"
		}
	}
	return k.name + " (" + strings.Join(columns, ", ") + ")"
}

// literalKind is how a value of a key is written in a statement so that it comes
// out equal to the column it was read from, and is found in the key.
type literalKind uint8

const (
	noLiteral  literalKind = iota
	asNumber               // as it was read
	asBytes                // x'…'
	asText                 // _charset x'…' COLLATE collation
	asDate                 // DATE'…'
	asTime                 // TIME'…'
	asDateTime             // TIMESTAMP'…'
)

// rowKeyOf finds the primary key, or else the first key that will do; nil if there
// is none. Numbers with a fraction in binary and labels are left out: they are
// printed otherwise than they are kept.
func rowKeyOf(t *catalog.Table) *rowKey {
	var found *rowKey
	for i := range t.Keys {
		k := rowKeyFrom(t, &t.Keys[i])
		if k == nil {
			continue
		}
		if t.Keys[i].Kind == catalog.Primary {
			return k
		}
		if found == nil {
			found = k
		}
	}
	return found
}

func rowKeyFrom(t *catalog.Table, k *catalog.Key) *rowKey {
	if !k.Distinct() || k.Hidden || len(k.Parts) == 0 {
		return nil
	}
	key := &rowKey{name: k.Name}
	for _, p := range k.Parts {
		at := t.Column(p.Column)
		if at < 0 || p.Prefix != 0 || !t.Columns[at].Type.NotNull {
			return nil
		}
		part := keyPartOf(&t.Columns[at], &p)
		if part.literal == noLiteral {
			return nil
		}
		key.parts = append(key.parts, part)
	}
	return key
}

func keyPartOf(c *catalog.Column, p *catalog.Part) keyPart {
	part := keyPart{stored: c.Stored(), desc: p.Desc}
	if c.Protected() {
		if l := c.Layer(p.Layer); l != nil && l.State == catalog.Ready {
			part.stored, part.literal = l.Stored, asBytes
		}
		return part
	}
	if part.literal = literalOf(c.Type.Kind); part.literal == asText {
		part.collation, part.charset = c.Type.Collation.Name, c.Type.Collation.Charset.Name
	}
	return part
}

func literalOf(k value.Kind) literalKind {
	switch {
	case k.IsInteger(), k == value.Decimal, k == value.Year:
		return asNumber
	case k == value.Char, k == value.VarChar:
		return asText
	case k == value.Binary, k == value.VarBinary:
		return asBytes
	case k == value.Date:
		return asDate
	case k == value.Time:
		return asTime
	case k == value.DateTime, k == value.Timestamp:
		return asDateTime
	}
	return noLiteral
}

// selected is the expression that reads the column: text as the bytes that it is.
func (p *keyPart) selected() string {
	if p.literal == asText {
		return "CAST(" + identifier.Quoted(p.stored) + " AS BINARY)"
	}
	return identifier.Quoted(p.stored)
}

// appendLiteral writes a value as it was read.
func (p *keyPart) appendLiteral(b []byte, v []byte) []byte {
	switch p.literal {
	case asNumber:
		return append(b, v...)
	case asText:
		b = appendHex(append(append(b, '_'), p.charset...), v)
		return append(append(b, " COLLATE "...), p.collation...)
	case asDate, asTime, asDateTime:
		word := map[literalKind]string{asDate: "DATE'", asTime: "TIME'", asDateTime: "TIMESTAMP'"}[p.literal]
		return append(append(append(b, word...), v...), '\'')
	default:
		return appendHex(b, v)
	}
}

// appendHex writes bytes as a literal that reads alike in every mode and character
// set; nil is NULL.
func appendHex(b, v []byte) []byte {
	if v == nil {
		return append(b, "NULL"...)
	}
	return append(hex.AppendEncode(append(b, " x'"...), v), '\'')
}

// appendAfter writes the condition of the rows that come behind one, in the order of
// the key: (a > x OR (a = x AND (b > y …))), which servers find in the key since it
// begins with a >= x.
func (k *rowKey) appendAfter(b []byte, last [][]byte) []byte {
	first := &k.parts[0]
	b = append(append(b, identifier.Quoted(first.stored)...), first.beyond()+"= "...)
	b = first.appendLiteral(b, last[0])
	b = append(b, " AND "...)
	for i := range k.parts {
		p := &k.parts[i]
		b = append(append(append(b, '('), identifier.Quoted(p.stored)...), p.beyond()+" "...)
		b = p.appendLiteral(b, last[i])
		if i+1 < len(k.parts) {
			b = append(append(append(b, " OR "...), identifier.Quoted(p.stored)...), " = "...)
			b = append(p.appendLiteral(b, last[i]), " AND "...)
		}
	}
	return append(b, strings.Repeat(")", len(k.parts))...)
}

// appendEqual writes the condition of one row.
func (k *rowKey) appendEqual(b []byte, key [][]byte) []byte {
	for i := range k.parts {
		if i > 0 {
			b = append(b, " AND "...)
		}
		p := &k.parts[i]
		b = p.appendLiteral(append(append(b, identifier.Quoted(p.stored)...), " = "...), key[i])
	}
	return b
}

// beyond is the comparison of what comes later in the key.
func (p *keyPart) beyond() string {
	if p.desc {
		return " <"
	}
	return " >"
}

// order is the list of ORDER BY.
func (k *rowKey) order() string {
	var list []string
	for i := range k.parts {
		term := identifier.Quoted(k.parts[i].stored)
		if k.parts[i].desc {
			term += " DESC"
		}
		list = append(list, term)
	}
	return strings.Join(list, ", ")
}
