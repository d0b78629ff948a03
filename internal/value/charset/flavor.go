package charset

// Flavor is the family of a database server.
type Flavor uint8

// The flavors. The tables of TiDB are not established, so all of its collations
// but binary are known by name only.
const (
	MariaDB Flavor = iota + 1
	MySQL
	TiDB
)

var flavorNames = [...]string{MariaDB: "mariadb", MySQL: "mysql", TiDB: "tidb"}

// String returns the name of the flavor in lower case.
func (f Flavor) String() string {
	if f < MariaDB || f > TiDB {
		return "unknown"
	}
	return flavorNames[f]
}
