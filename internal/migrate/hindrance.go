package migrate

import "slices"

// Hindrance is one kind of thing that keeps a table from being encrypted. All that is looked at has
// its line in this list; docs/assess.md has the same one.
type Hindrance struct {
	// Name is what reports call it, Check which look finds it.
	Name, Check string
	// What is what it is, and Fix what the SQL does that is told with it; Fix is "" where no SQL helps.
	What, Fix string
}

// Names of the hindrances.
const (
	oldServer        = "old server"
	sharedTablespace = "shared tablespace"
	otherEngine      = "engine"
	partitions       = "partitions"
	noColumn         = "no column"
	unprotected      = "nothing to protect"
	leftColumn       = "left column"
	refusedColumn    = "refused definition"
	family           = "family"
	documents        = "JSON"
	computedValue    = "computed value"
	otherType        = "type"
	rowKey           = "key of rows"
	privilege        = "privilege"
	departed         = "departed tunic"
	noKey            = "no key"
	foreignKey       = "foreign key"
	referredTo       = "referred to"
	trigger          = "trigger"
	program          = "program"
	unseen           = "unseen"
	generatedColumn  = "generated column"
	checkConstraint  = "CHECK"
	view             = "view"
)

var hindrances = []Hindrance{
	{oldServer, "server", "older than MariaDB 10.5.2 or MySQL 8.0.29", ""},
	{otherEngine, "table", "another engine than InnoDB", "changes the engine"},
	{partitions, "table", "the table is partitioned", "removes the partitions"},
	{noColumn, "columns", "`--columns` names a column that is not there", ""},
	{unprotected, "columns", "the policy does not protect a column that is named, or any", ""},
	{leftColumn, "columns", "a decryption or an `--abort` was cut off at its end", ""},
	{refusedColumn, "columns", "tunic would refuse the definition in `CREATE TABLE`", "leaves the column out, or drops the key, as of a `FULLTEXT` key over a column that a rule protects"},
	{family, "columns", "an annotation puts the column into a family that it cannot be in", "takes `family` out of the annotation"},
	{documents, "columns", "JSON: servers do not show documents exactly as they were written", "makes text of the column"},
	{computedValue, "columns", "the server computes the value: `ON UPDATE`, a default that is an expression", "takes that off, and puts it back"},
	{otherType, "columns", "a type whose values do not come back exactly: shapes, `UUID`, `INET4`, `INET6`, `YEAR(2)`", "leaves the column out"},
	{rowKey, "columns", "the column is in the primary key, or in the unique key without `NULL` that takes its place", "leaves the column out"},
	{privilege, "privileges", "the service account may not `SELECT`, `UPDATE` or `ALTER`, or lacks `REFERENCES` for a foreign key", "grants it"},
	{departed, "departed", "a tunic has gone without an end, and the service account may not see whether its connections are left, or cannot recognize them", "grants that"},
	{noKey, "key", "no primary or unique key tells rows apart", "adds an invisible primary key"},
	{foreignKey, "foreign keys", "a foreign key is over a column to protect", "leaves the column out; or drops the key, and adds it again"},
	{referredTo, "foreign keys", "a foreign key of another table refers to a column to protect", "leaves the column out; or drops the key, and adds it again"},
	{trigger, "triggers", "a trigger on the table", "drops it"},
	{program, "programs", "an event, a routine, or a trigger of another table names the table, or runs text that cannot be seen", "drops it"},
	{unseen, "sight", "the service account cannot see all programs and views of the server, or what one of them does", "grants it"},
	{generatedColumn, "expressions", "a generated column over a column to protect", "drops it with its keys"},
	{checkConstraint, "expressions", "a `CHECK` over a column to protect", "drops it, and adds it again"},
	{view, "views", "a view reads the table, the server's or one of tunic's", "drops it, and creates it again"},
	{sharedTablespace, "space", "`innodb_file_per_table` is off", "sets it on, and off again"},
}

// Hindrances are all that can keep a table from being encrypted.
func Hindrances() []Hindrance { return slices.Clone(hindrances) }

// Checks are the names of the looks at a table, in their order.
func Checks() (names []string) {
	for _, c := range checks {
		names = append(names, c.name)
	}
	return names
}
