package description

import (
	"slices"

	"tunic/internal/local"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// Set are the definitions of the answer of a set, as servers have them when they execute:
// MySQL puts a set's rows into a table of its own, whose columns have names, and MariaDB
// all but those of a plain UNION ALL. What they prepare has it the other way around.
func Set(a local.SetAnswer, definitions []wire.ColumnDefinition, flavor value.Flavor) []wire.ColumnDefinition {
	if a == local.NoSet || a != local.PlainUnion && flavor == value.MariaDB {
		return definitions
	}
	const anyDigits, anyDigitsMariaDB = 31, 39 // of text that is no column
	const blobColumn, zerofill = 1 << 4, 1 << 6
	all := slices.Clone(definitions)
	for i := range all {
		c := &all[i]
		text := c.Type == wire.TypeVarString || c.Type == wire.TypeString || c.Type == wire.TypeBlob
		if flavor == value.MariaDB {
			c.OrgName = nil
			if c.Flags &^= blobColumn | zerofill; c.Type == wire.TypeTimestamp {
				c.Flags &^= UnsignedColumn
			}
			if text && c.Decimals == 0 {
				c.Decimals = anyDigitsMariaDB
			}
			continue
		}
		c.OrgName = c.Name
		if a == local.Sifted {
			siftedColumn(c)
		}
		if text && c.Decimals == anyDigits {
			c.Decimals = 0
		}
		switch c.Type {
		case wire.TypeBlob:
			c.Flags |= blobColumn
		case wire.TypeYear:
			c.Flags |= zerofill
		default:
		}
	}
	return all
}

// siftedColumn is a column of the table that MySQL has for INTERSECT and EXCEPT.
func siftedColumn(c *wire.ColumnDefinition) {
	const binaryColumn = 1 << 7
	switch c.Type {
	case wire.TypeTiny, wire.TypeShort, wire.TypeInt24, wire.TypeLong, wire.TypeLongLong, wire.TypeNewDecimal, wire.TypeFloat, wire.TypeDouble:
		c.Flags &^= binaryColumn
	case wire.TypeNull:
		c.Type = wire.TypeVarString
	default:
	}
}
