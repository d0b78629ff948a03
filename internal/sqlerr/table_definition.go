package sqlerr

// definitionTable are the errors of definitions of protected tables.
var definitionTable = []Entry{
	// Definitions of protected tables.
	{
		Code: definitionReserved, Number: 1235, State: "42000",
		Message: "column {column} has a name that tunic needs for itself",
		Fix:     "give it a name that ends neither in $eq nor in $ord",
		Why:     "The stored columns of a layer have these names.",
	},
	{
		Code: definitionAnnotation, Number: 1235, State: "42000",
		Message: "the annotation of column {column} cannot be followed: {why}",
		Fix:     "correct what follows tunic: in its comment, or the rule for the column",
		Why:     "A comment that speaks to tunic and cannot be read, or that asks for more than the operator's rule allows, refuses the definition: what it was to protect is not known. docs/config.md has the words.",
	},
	{
		Code: definitionGenerated, Number: 1235, State: "42000",
		Message: "a generated column over protected column {column}, or one that is to be protected, is not supported",
		Fix:     "compute it in the query or the application, or annotate the columns with tunic: plain",
		Why:     "The server computes generated columns, and it has no value of a protected column to compute with.",
	},
	{
		Code: definitionCheck, Number: 1235, State: "42000",
		Message: "a CHECK over protected column {column} is not supported",
		Fix:     "check it in the application, or annotate the column with tunic: plain",
		Why:     "The server checks such a constraint, and it has no value of a protected column to check.",
	},
	{
		Code: definitionCheckName, Number: 1235, State: "42000",
		Message: "a CHECK without a name is not supported in table {table}, which has protected columns",
		Fix:     "write CONSTRAINT name CHECK (…) among the table's constraints",
		Why:     "MariaDB shows a CHECK without a name beside its column or behind the keys, by where it was written. tunic cannot tell, and does not guess.",
	},
	{
		Code: definitionExpression, Number: 1235, State: "42000",
		Message: "a DEFAULT of protected column {column} that is no constant is not supported",
		Fix:     "use a constant, NULL or CURRENT_TIMESTAMP, without parentheses, or annotate the column with tunic: plain",
		Why:     "The server would compute the value, and would see it. A default of a plain column may not be computed from a protected one either.",
	},
	{
		Code: definitionKeyKind, Number: 1235, State: "42000",
		Message: "a FULLTEXT or SPATIAL key over protected column {column} is not supported",
		Fix:     "leave the key out, or annotate the column with tunic: plain",
		Why:     "Such a key holds words or shapes of the values themselves.",
	},
	{
		Code: definitionKeyComputed, Number: 1235, State: "42000",
		Message: "a key over an expression is not supported in table {table}, which has protected columns",
		Fix:     "use a key over columns, or a generated column over plain ones with a key of its own",
		Why:     "tunic has to know which columns a key is over to tell which rows collide in it.",
	},
	{
		Code: definitionPrefix, Number: 1235, State: "42000",
		Message: "a unique key over a prefix of protected column {column} is not supported",
		Fix:     "make the key over the whole column",
		Why:     "An equality layer compares whole values; it cannot tell that two of them begin alike.",
	},
	{
		Code: definitionPartition, Number: 1235, State: "42000",
		Message: "partitions by protected column {column} are not supported",
		Fix:     "partition by a plain column, or annotate this one with tunic: plain",
		Why:     "The server would need the values to find the partition.",
	},
	{
		Code: definitionGrain, Number: 1235, State: "42000",
		Message: "column {column} asks for an order layer with a grain, which this version does not make",
		Fix:     "use tunic: order, tunic: equality or tunic: sealed",
		Why:     "order/day, order/1000 and order/prefix 4 are understood and cannot be made yet. tunic makes no finer layer in their place.",
	},
	{
		Code: definitionLayer, Number: 1235, State: "42000",
		Message: "column {column} cannot have the {layer} layer that its policy or a key needs: {why}",
		Fix:     "leave the key or the capability out, or give the column another type or collation",
		Why:     "A layer must compare as the server compares the values. Where that is not certain there is no layer, and a key over the column has nothing to stand on.",
	},
	{
		Code: definitionCeiling, Number: 1235, State: "42000",
		Message: "key {key} needs a layer of column {column} that the column may not have",
		Fix:     "leave the key out, or allow tunic: equality by the column's annotation or rule",
		Why:     "A key over a protected column is stored over its equality or order layer. The column's ceiling, from its annotation, its rule or policy.ceiling, allows none, or not the one that the key needs.",
	},
	{
		Code: definitionReference, Number: 1235, State: "42000",
		Message: "foreign key column {column} and the column it refers to are not both protected or both plain: {which}",
		Fix:     "annotate both columns alike",
		Why:     "The server compares the two columns, so both must be plain, or both have an equality layer of one domain. Where nobody has said that the referring column is to be protected, and the other one is plain, tunic leaves it plain.",
	},
	{
		Code: definitionAction, Number: 1235, State: "42000",
		Message: "ON DELETE SET NULL and ON UPDATE CASCADE or SET NULL are not supported for protected column {column}",
		Fix:     "use RESTRICT, NO ACTION or ON DELETE CASCADE",
		Why:     "The server would change the token that the key is over and leave the sealed form as it was.",
	},
	{
		Code: definitionSelect, Number: 1235, State: "42000",
		Message: "CREATE TABLE … SELECT is not supported where table {table} or what it reads may be protected",
		Fix:     "make the table with CREATE TABLE, and INSERT the rows as values",
		Why:     "The values would have to be sealed for the columns of the new table, which do not exist yet. An INSERT of a query's rows into a protected table is not supported either.",
	},
	{
		Code: definitionType, Number: 1235, State: "42000",
		Message: "column {column} cannot be protected: {why}",
		Fix:     "give it another type, or annotate it with tunic: plain",
		Why:     "tunic has to do for a protected column what its type does. Where it does not know the type, its character set or its labels exactly, it refuses.",
	},
	{
		Code: definitionRewrite, Number: 1235, State: "42000",
		Message: "the change of column {column} needs stored values to be made anew, and table {table} has rows",
		Fix:     "make the change while the table is empty, or copy the rows to a new table",
		Why:     "tunic makes stored values anew where each stays what it is; docs/stored-tables.md lists these changes. Others, such as a type of another sort, would need the server's conversions of values that it cannot see.",
	},
	{
		Code: definitionProtection, Number: 1235, State: "42000",
		Message: "the change would protect column {column}, or leave it unprotected, in a table that has it otherwise",
		Fix:     "make a new table with the column as wanted",
		Why:     "An annotation, a rule or the default says something else of the column than what it is. Its values would have to be sealed or opened for all rows.",
	},
	{
		Code: definitionForm, Number: 1235, State: "42000",
		Message: "{what} is not supported for table {table}, which has protected columns",
		Fix:     "make the change in other steps; docs/stored-tables.md lists what can be changed",
		Why:     "tunic makes a change only where it knows what it does to the stored table.",
	},
	{
		Code: definitionReferenced, Number: 1235, State: "42000",
		Message: "table {table} cannot be renamed while a foreign key of a protected table refers to it",
		Fix:     "drop the foreign key, rename the table and add the key again",
		Why:     "The definition of the other table would have to change in the same step.",
	},
	{
		Code: definitionSchema, Number: 1235, State: "42000",
		Message: "schema _tunic is tunic's own",
		Fix:     "use another schema",
		Why:     "The catalog and the twins of protected tables are in it.",
	},
	{
		Code: definitionCharset, Number: 1235, State: "42000",
		Message: "the definition of table {table} has characters outside ASCII, and the session is not in UTF-8",
		Fix:     "SET NAMES utf8mb4 before it",
		Why:     "Labels, defaults and names of protected tables are kept in UTF-8.",
	},
	{
		Code: definitionLedger, Number: 1105, State: "HY000",
		Message: "the catalog of protected tables cannot be changed now",
		Fix:     "try again; tunic's log says what is wrong if it lasts",
		Why:     "The ledger in schema _tunic is out of reach, damaged, or held by another tunic. The change was not made, or will be settled when the ledger is back.",
	},
	{
		Code: definitionFill, Number: 1235, State: "42000",
		Message: "the rows of table {table} cannot be given what the change adds: {why}",
		Fix:     "mend that, or make the change while the table is empty",
		Why:     "A new layer, a new column with a value and a new type have to be computed for every row that is there, by tunic itself. It needs a key that tells all rows apart, rows that open and values that fit as they are, and the service account needs SELECT, UPDATE and ALTER on the table. The table is as it was before the statement.",
	},
	{
		Code: definitionAccount, Number: 1105, State: "HY000",
		Message: "the service account has no privilege on schema {schema}",
		Fix:     "GRANT SELECT, INSERT, UPDATE, CREATE, ALTER ON the schema to it, as docs/operating.md says",
		Why:     "tunic looks at a schema, and mends and fills the stored tables in it, with an account of its own. The schema is there, but that account does not see it. The definition was not made.",
	},
	{
		Code: definitionAround, Number: 1105, State: "HY000",
		Message: "table {table} was changed around tunic: {what}",
		Fix:     "undo that at the server, and make the change through tunic",
		Why:     "Before it changes a stored table tunic looks at it. What somebody else has made of it would be lost, or is not understood. The definition was not made.",
	},
}
