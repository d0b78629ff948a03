package difftest

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tunic/internal/wire"
)

// Param is a parameter of a prepared statement in its binary form.
type Param struct {
	Type     wire.Type
	Unsigned bool
	Null     bool
	Value    []byte // with its length prefix where its type has one
}

// paramType says how the corpus writes the parameters of a type.
type paramType struct {
	code   wire.Type
	encode func(text string) ([]byte, error)
}

// paramTypes are the words before the colon. A "u" before an integer type makes
// it unsigned.
var paramTypes = map[string]paramType{
	"tiny":       {wire.TypeTiny, integer(1)},
	"short":      {wire.TypeShort, integer(2)},
	"year":       {wire.TypeYear, integer(2)},
	"int":        {wire.TypeLong, integer(4)},
	"bigint":     {wire.TypeLongLong, integer(8)},
	"float":      {wire.TypeFloat, encodeFloat},
	"double":     {wire.TypeDouble, encodeDouble},
	"decimal":    {wire.TypeNewDecimal, encodeText},
	"string":     {wire.TypeString, encodeText},
	"varstring":  {wire.TypeVarString, encodeText},
	"varchar":    {wire.TypeVarchar, encodeText},
	"enum":       {wire.TypeEnum, encodeText},
	"set":        {wire.TypeSet, encodeText},
	"blob":       {wire.TypeBlob, encodeText},
	"tinyblob":   {wire.TypeTinyBlob, encodeText},
	"mediumblob": {wire.TypeMediumBlob, encodeText},
	"longblob":   {wire.TypeLongBlob, encodeText},
	"bit":        {wire.TypeBit, encodeText},
	"date":       {wire.TypeDate, encodeDatetime},
	"datetime":   {wire.TypeDatetime, encodeDatetime},
	"timestamp":  {wire.TypeTimestamp, encodeDatetime},
	"time":       {wire.TypeTime, encodeTime},
}

// parseParams reads `int:5 string:"a b"*3 null`.
func parseParams(args string) ([]Param, error) {
	var params []Param
	for rest := strings.TrimSpace(args); rest != ""; rest = strings.TrimSpace(rest) {
		if word, after, _ := strings.Cut(rest, " "); word == "null" || strings.HasPrefix(word, "null/") {
			p, err := nullParam(word)
			if err != nil {
				return nil, err
			}
			params, rest = append(params, p), after
			continue
		}
		name, after, ok := strings.Cut(rest, ":")
		if !ok {
			return nil, fmt.Errorf("want type:value, got %q", rest)
		}
		text, after, err := cutValue(after)
		if err != nil {
			return nil, err
		}
		param, err := newParam(name, text)
		if err != nil {
			return nil, fmt.Errorf("parameter %d: %w", len(params)+1, err)
		}
		params = append(params, param)
		rest = after
	}
	return params, nil
}

// cutValue takes a bare word, or a quoted string with an optional count.
func cutValue(s string) (text, rest string, err error) {
	if !strings.HasPrefix(s, `"`) {
		text, rest, _ = strings.Cut(s, " ")
		return text, rest, nil
	}
	text, rest, err = cutQuoted(s)
	if err != nil {
		return "", "", err
	}
	count, rest, err := cutCount(rest)
	return strings.Repeat(text, count), rest, err
}

func newParam(name, text string) (Param, error) {
	if code, ok := strings.CutPrefix(name, "raw/"); ok {
		return rawParam(code, text)
	}
	kind, ok := paramTypes[name]
	unsigned := !ok && strings.HasPrefix(name, "u")
	if unsigned {
		kind, ok = paramTypes[name[1:]]
	}
	if !ok {
		return Param{}, fmt.Errorf("unknown type %q", name)
	}
	value, err := kind.encode(text)
	return Param{Type: kind.code, Unsigned: unsigned, Value: value}, err
}

// nullParam is NULL, of the type whose number is behind "null/".
func nullParam(word string) (Param, error) {
	code, typed := strings.CutPrefix(word, "null/")
	if !typed {
		return Param{Type: wire.TypeNull, Null: true}, nil
	}
	n, err := strconv.ParseUint(code, 10, 8)
	return Param{Type: wire.Type(n), Null: true}, err
}

// rawParam is a value as the bytes that are sent, behind the number of its type, with a "u"
// if it is unsigned.
func rawParam(code, value string) (Param, error) {
	number, unsigned := strings.CutSuffix(code, "u")
	n, err := strconv.ParseUint(number, 10, 8)
	return Param{Type: wire.Type(n), Unsigned: unsigned, Value: []byte(value)}, err
}

// showParams writes parameters so that parseParams reads the same again.
func showParams(params []Param) string {
	shown := make([]string, len(params))
	for i, p := range params {
		switch {
		case p.Null && p.Type == wire.TypeNull:
			shown[i] = "null"
		case p.Null:
			shown[i] = fmt.Sprintf("null/%d", p.Type)
		case p.Unsigned:
			shown[i] = fmt.Sprintf("raw/%du:%q", p.Type, p.Value)
		default:
			shown[i] = fmt.Sprintf("raw/%d:%q", p.Type, p.Value)
		}
	}
	return strings.Join(shown, " ")
}

// integer encodes a signed or unsigned integer in so many bytes.
func integer(size int) func(string) ([]byte, error) {
	return func(text string) ([]byte, error) {
		n, err := strconv.ParseUint(text, 10, 8*size)
		if strings.HasPrefix(text, "-") {
			var signed int64
			signed, err = strconv.ParseInt(text, 10, 8*size)
			n = uint64(signed)
		}
		return binary.LittleEndian.AppendUint64(nil, n)[:size], err
	}
}

func encodeFloat(text string) ([]byte, error) {
	f, err := strconv.ParseFloat(text, 32)
	return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(f))), err
}

func encodeDouble(text string) ([]byte, error) {
	f, err := strconv.ParseFloat(text, 64)
	return binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)), err
}

func encodeText(text string) ([]byte, error) {
	return wire.AppendLenencBytes(nil, []byte(text)), nil
}

// encodeDatetime encodes "2024-05-06", "2024-05-06 07:08:09" or with ".000010";
// zero fields at the end are left out, as clients do.
func encodeDatetime(text string) ([]byte, error) {
	day, clock, _ := strings.Cut(text, " ")
	var year uint16
	var month, date uint8
	if _, err := fmt.Sscanf(day, "%d-%d-%d", &year, &month, &date); err != nil {
		return nil, fmt.Errorf("date %q: %w", text, err)
	}
	hour, minute, second, micros, err := parseClock(clock)
	if err != nil {
		return nil, err
	}
	b := append(binary.LittleEndian.AppendUint16(nil, year), month, date, byte(hour), minute, second)
	b = binary.LittleEndian.AppendUint32(b, micros)
	switch {
	case micros != 0:
	case hour != 0 || minute != 0 || second != 0:
		b = b[:7]
	case year != 0 || month != 0 || date != 0:
		b = b[:4]
	default:
		b = nil
	}
	return append([]byte{byte(len(b))}, b...), nil
}

// encodeTime encodes "-100:11:12.000013"; hours over 23 become days.
func encodeTime(text string) ([]byte, error) {
	positive := strings.TrimPrefix(text, "-")
	hour, minute, second, micros, err := parseClock(positive)
	if err != nil {
		return nil, err
	}
	sign := byte(0)
	if positive != text {
		sign = 1
	}
	b := binary.LittleEndian.AppendUint32([]byte{sign}, hour/24)
	b = append(b, byte(hour%24), minute, second)
	b = binary.LittleEndian.AppendUint32(b, micros)
	switch {
	case micros != 0:
	case hour != 0 || minute != 0 || second != 0:
		b = b[:8]
	default:
		b = nil
	}
	return append([]byte{byte(len(b))}, b...), nil
}

// parseClock reads "", "07:08:09" or "07:08:09.000010".
func parseClock(text string) (hour uint32, minute, second uint8, micros uint32, err error) {
	if text == "" {
		return 0, 0, 0, 0, nil
	}
	clock, fraction, _ := strings.Cut(text, ".")
	if _, err = fmt.Sscanf(clock, "%d:%d:%d", &hour, &minute, &second); err != nil {
		return 0, 0, 0, 0, fmt.Errorf("time %q: %w", text, err)
	}
	if fraction != "" {
		n, err := strconv.ParseUint((fraction + "000000")[:6], 10, 32)
		if err != nil {
			return 0, 0, 0, 0, fmt.Errorf("time %q: %w", text, err)
		}
		micros = uint32(n)
	}
	return hour, minute, second, micros, nil
}
