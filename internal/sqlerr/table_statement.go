package sqlerr

// statementTable are the errors of statements.
var statementTable = []Entry{
	// Statements.
	{
		Code: statementRefused, Number: 1235, State: "42000",
		Message: "{statement} is not supported",
		Fix:     "docs/sql-support.md lists what is",
		Why:     "tunic refuses what it cannot do exactly; it never forwards a statement it must not forward and never answers OK for one it did not run.",
	},
	{
		Code: statementUnread, Number: 1235, State: "42000",
		Message: "tunic cannot read this statement",
		Fix:     "write it in a form that docs/sql-support.md lists",
		Why:     "The statement does not parse and may name something protected.",
	},
	{
		Code: statementOutcome, Number: 1235, State: "42000",
		Message: "the server does not know how the statement before this one went",
		Fix:     "ask with SHOW WARNINGS, SHOW ERRORS or SELECT @@warning_count, by itself and as text; take counts of rows from the answer itself",
		Why:     "tunic has refused that statement, or finished it itself, or has asked the server something since. It answers the common questions itself; ROW_COUNT(), FOUND_ROWS(), GET DIAGNOSTICS and others would speak of another statement.",
	},
	{
		Code: statementBeside, Number: 1142, State: "42000",
		Message: "a plain table beside a protected one cannot be described: tunic's service account may not SELECT from it",
		Fix:     "GRANT SELECT on the table, or its schema, to the service account",
		Why:     "The server is asked, by the service account, how it describes the columns of a query over protected tables and others. The rows are read by the client's account, as always.",
	},
	{
		Code: statementSecret, Number: 1235, State: "42000",
		Message: "a user variable that may hold a value of a protected column cannot be given to the server",
		Fix:     "use the variable with protected columns or in a SELECT without tables, or SET it to another value",
		Why:     "What is read from a protected column into a user variable, or was given to one from it, tunic keeps itself: the server's list of user variables would show it. A statement over plain tables that names the variable would need it there.",
	},
	{
		Code: statementFlow, Number: 1235, State: "42000",
		Message: "a value of a protected column would be stored in the plain column {column}",
		Fix:     "protect that column, or leave it out of the statement",
		Why:     "What a plain column holds the server reads. A statement that copies rows, or computes some from others, keeps what is protected protected: only the policy decides otherwise, and never a statement.",
	},
	{
		Code: statementKey, Number: 1235, State: "42000",
		Message: "the key of AES_ENCRYPT or AES_DECRYPT would be given to the server",
		Fix:     "call it in a SELECT, or in a place where it reads no column; or encrypt in the application",
		Why:     "tunic computes a call whose key is a literal, a parameter or a user variable itself, so that the key never reaches the server. In an UPDATE or DELETE that reads plain columns, in a definition or in a program it cannot.",
	},
	{
		Code: programShows, Number: 1235, State: "42000",
		Message: "the program reads a protected table, and answers with what is stored there",
		Fix:     "drop it, and do in the application what it does",
		Why:     "A program of the server's that was made before the table was protected, or around tunic, reads stored forms. Its rows are not passed on. What else it has done is done.",
	},
	{
		Code: statementPlain, Number: 1235, State: "42000",
		Message: "table {table} is plain, and a rule of the policy protects columns of it",
		Fix:     "find out who has made it so; encrypt it with tunic encrypt, and give the rule waits = true until then. Correct a rule that is not meant for this table",
		Why:     "Somebody may have put a plain table in the place of a protected one, to get what is written to it. A table that was there before the rule is used only if the rule says that it waits to be encrypted. A table whose columns only have the default, and no rule, is used as it is. A statement that names such a column of a plain table is refused though the table has none of that name. If the rule has the whole name of the table, so is what may give it a value by its place: INSERT or LOAD DATA without a list of columns, and * in a query inside of another or of a UNION.",
	},
	{
		Code: expressionRefused, Number: 1235, State: "42000",
		Message: "{operation} is not computed on protected data",
		Fix:     "compute it in the application, or see docs/functions.md for what is",
		Why:     "What the server cannot compute on ciphertext tunic computes itself, where it is known to come out as the server has it. This operation, or these types of operands, are not among them.",
	},
	{
		Code: expressionValue, Number: 1235, State: "42000",
		Message: "{operation} is not computed on protected data for a value that it met",
		Fix:     "correct the value or literal, which is text that is no number or no date, or beyond what servers compute exactly",
		Why:     "The operation is supported, but servers differ in what they make of this value, or make a guess of it that tunic does not make.",
	},
	{
		Code: sessionZone, Number: 1235, State: "42000",
		Message: "the session's time zone {zone} is not known to tunic",
		Fix:     "SET time_zone to an offset such as '+00:00' or to a name of the time zone database",
		Why:     "A protected TIMESTAMP is sealed in UTC, so that tunic has to convert it as the server would. SYSTEM is understood where the server's machine is in UTC.",
	},
	{
		Code: localRows, Number: 1104, State: "42000",
		Message: "tunic has to finish this statement itself, {what}, and may read no more than {limit} rows for it",
		Fix:     "ask for fewer rows in a way that the server can follow, add the layer, or raise --local-rows",
		Why:     "What the server cannot do on ciphertext tunic does on rows that it fetches and opens. A budget keeps one statement from reading a whole table; docs/local.md says what is done where.",
	},
	{
		Code: localBytes, Number: 1104, State: "42000",
		Message: "tunic has to finish this statement itself, {what}, and may keep no more than {limit} bytes for it",
		Fix:     "sort, group or compare fewer rows, add a LIMIT, add the layer, or raise --local-bytes",
		Why:     "To sort, group or tell apart rows tunic keeps them in memory, or parts of them. A budget keeps one statement from taking all of it.",
	},
	{
		Code: localTotal, Number: 1104, State: "42000",
		Message: "tunic has to finish this statement itself, {what}, and all such statements together may keep no more than {limit} bytes",
		Fix:     "try again when fewer of them run, or raise --local-total-bytes",
		Why:     "The statements of all sessions share what tunic may keep in memory for them.",
	},
	{
		Code: localCombinations, Number: 1104, State: "42000",
		Message: "tunic has to finish this statement itself, {what}, and may look at no more than {limit} combinations of rows for it",
		Fix:     "join by an equality of columns of one type, have conditions leave fewer rows of each table, or raise --local-rows",
		Why:     "Rows that an equality joins are found at once. Without one, and in a subquery that depends on the row around it, every row may have to be looked at for every other one: the bound is a multiple of --local-rows.",
	},
	{
		Code: layerAdvised, Number: 1105, State: "01000",
		Message: "tunic has to finish this statement itself for the {layer} layer that {column} has not",
		Fix:     "CALL tunic.add_layer if the server may learn what the layer tells; EXPLAIN has its price",
		Why:     "A note and no error: the statement is answered as it would be with the layer. With `--policy-layers advise` it is given once a minute for a layer at most, and only of one that the ceiling allows, that the values do not speak against, and without which a thousand rows were read for nothing. `SET sql_notes = 0` turns it off for a session; docs/advice.md says more.",
	},
	{
		Code: layerBrought, Number: 1105, State: "01000",
		Message: "layer {layer} of column {column} tells the server {told}; {verdict}",
		Fix:     "leave the key or annotation out, if the server may not learn that; tunic report lists all layers",
		Why:     "A note and no error: the definition is made. It has brought a layer that no rule of the operator's names, for a key, for a foreign key, by an annotation or in a copy of a table. What the layer tells, the server keeps in its backups and logs for ever. The verdict is that on the values of the column, where there are some, or on its type. With `--policy-keys allow` there is no note, and none with `SET sql_notes = 0`; docs/advice.md says more.",
	},
}
