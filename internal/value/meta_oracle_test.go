package value

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tunic/internal/value/charset"
)

// metaTypes are columns whose definitions are compared, besides columnTypes.
var metaTypes = []string{"mediumtext", "longtext", "mediumblob", "longblob", "decimal(10,2) unsigned", "char(0)", "binary(1)", "bit(8)", "geometry", "point", "polygon", "geometrycollection"}

// TestMetaAsServersSend compares the column definitions of a SELECT.
func TestMetaAsServersSend(t *testing.T) {
	forEachServer(t, func(t *testing.T, o *oracle) {
		names := slices.Concat(columnTypes, metaTypes)
		if o.flavor == MariaDB {
			names = append(names, "uuid", "inet4", "inet6")
		} else {
			names = append(names, "json", "vector(3)")
		}
		for _, collation := range []string{"utf8mb4_general_ci", "utf8mb4_bin", "latin1_swedish_ci", "latin1_bin"} {
			compareMeta(t, o, names, o.collation(t, collation))
		}
	})
}

// compareMeta makes a table with a nullable column and one that is not of every
// type, and asks for it in several character sets.
func compareMeta(t *testing.T, o *oracle, names []string, c *charset.Collation) {
	var columns []*Type
	var definitions []string
	for _, name := range names {
		for _, null := range []string{" NULL", " NOT NULL"} {
			column, err := Parse(name, c)
			if err != nil {
				t.Fatal(err)
			}
			column.NotNull = null == " NOT NULL"
			definitions = append(definitions, fmt.Sprintf("c%d %s%s", len(columns), name, null))
			columns = append(columns, column)
		}
	}
	env, _ := o.environment(t, "")
	o.exec(t, "DROP TABLE IF EXISTS t")
	o.exec(t, "CREATE TABLE t ("+strings.Join(definitions, ", ")+") CHARSET "+c.Charset.Name+" COLLATE "+c.Name)
	for _, results := range []string{"utf8mb4", "latin1", "binary", "NULL"} {
		o.exec(t, "SET character_set_results = "+results)
		env.Results, _ = charset.CharsetByName(o.flavor, results)
		for i, definition := range o.query(t, "SELECT * FROM t").columns {
			theirs := metaOf(definition)
			theirs.Flags &^= 1<<12 | 1<<13 | 1<<15 // those of defaults are not the type's
			if ours := Meta(columns[i], env); ours != theirs {
				t.Errorf("%s %s as %s:\n  server %+v\n  here   %+v", definitions[i], c.Name, results, theirs, ours)
			}
		}
	}
	o.exec(t, "SET character_set_results = utf8mb4")
}

// metaOf reads the fixed fields at the end of a column definition.
func metaOf(b []byte) ColumnMeta {
	for range 6 {
		var n uint64
		n, b = lenenc(b)
		b = b[n:]
	}
	if b[0] != 12 { // MariaDB's extended metadata
		var n uint64
		n, b = lenenc(b)
		b = b[n:]
	}
	b = b[1:]
	return ColumnMeta{
		Charset: binary.LittleEndian.Uint16(b), Length: binary.LittleEndian.Uint32(b[2:]),
		Type: b[6], Flags: binary.LittleEndian.Uint16(b[7:]), Decimals: b[9],
	}
}
