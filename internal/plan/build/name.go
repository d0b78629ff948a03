package build

// Named is a table that a statement names, with the schema that it is looked for in.
type Named struct{ Schema, Table string }
