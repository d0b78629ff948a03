package sqlerr

// statementTable are the errors of statements.
var statementTable = []Entry{
	// Statements.
	{
		Code: statementRefused, Number: 1235, State: "42000",
		Message: "{statement} is not supported",
		Fix:     "tunic help sql-support lists what is",
		Why:     "tunic refuses what it cannot do exactly; it never forwards a statement it must not forward and never answers OK for one it did not run.",
	},
	{
		Code: statementUnread, Number: 1235, State: "42000",
		Message: "tunic cannot read this statement{from}",
		Fix:     "write it in a form that tunic help sql-support lists",
		Why:     "The statement does not parse and may name something protected. The line is the one at which tunic stops reading. A mistake in a statement gets the server's own error 1064: tunic asks the server about the statement's form, without names, values and comments. So the server reads this one, or could not be asked.",
	},
	{
		Code: statementOutcome, Number: 1235, State: "42000",
		Message: "the server does not know how the statement before this one went",
		Fix:     "ask with SHOW WARNINGS, SHOW ERRORS or SELECT @@warning_count, by itself and as text; take counts of rows from the answer itself",
		Why:     "tunic refused that statement, finished it itself, or has asked the server something since. It answers the common questions itself. ROW_COUNT(), FOUND_ROWS(), GET DIAGNOSTICS and others would be about another statement.",
	},
	{
		Code: statementBeside, Number: 1142, State: "42000",
		Message: "a plain table beside a protected one cannot be described: tunic's service account may not SELECT from it",
		Fix:     "GRANT SELECT on the table, or its schema, to the service account",
		Why:     "The service account asks the server how it describes the columns of a query over protected and plain tables. The client's account reads the rows, as always.",
	},
	{
		Code: statementSecret, Number: 1235, State: "42000",
		Message: "a user variable that may hold a value of a protected column cannot be given to the server",
		Fix:     "use the variable with protected columns or in a SELECT without tables, or SET it to another value",
		Why:     "tunic keeps a user variable itself if its value came from a protected column, since the server would show it. A statement over plain tables that names the variable would need it at the server.",
	},
	{
		Code: statementFlow, Number: 1235, State: "42000",
		Message: "a value of a protected column would be stored in the plain column {column}",
		Fix:     "protect that column, or leave it out of the statement",
		Why:     "The server can read a plain column. A statement that copies or computes rows never makes protected values plain: only the policy decides that.",
	},
	{
		Code: statementKey, Number: 1235, State: "42000",
		Message: "the key of AES_ENCRYPT or AES_DECRYPT would be given to the server",
		Fix:     "call it in a SELECT, or where it reads no column; or encrypt in the application",
		Why:     "tunic computes a call whose key is a literal, a parameter or a user variable itself, so that the key never reaches the server. In an UPDATE or DELETE that reads plain columns, in a definition or in a program it cannot.",
	},
	{
		Code: programShows, Number: 1235, State: "42000",
		Message: "the program reads a protected table, and answers with what is stored there",
		Fix:     "drop it, and do its work in the application",
		Why:     "The stored program was made before the table was protected, or around tunic, and so reads stored forms. tunic does not pass its rows on. Whatever else the program did has been done.",
	},
	{
		Code: statementPlain, Number: 1235, State: "42000",
		Message: "table {table} is plain, and a rule of the policy protects columns of it",
		Fix:     "find out who has made it so; encrypt it with tunic encrypt, and give the rule waits = true until then. Correct a rule that is not meant for this table",
		Why:     "Somebody may have put a plain table in the place of a protected one, to get what is written to it. A table that is older than the rule is used only if the rule says that it waits to be encrypted. A table that no rule names is used as it is. A statement that names such a column of a plain table is refused even if the table has no such column. If the rule names the table in full, so is a statement that may give the column a value by position: INSERT or LOAD DATA without a list of columns, and * in a subquery or a UNION. Of a stored program, and of a statement that tunic cannot read, the words are looked at: it is refused if they may name the table.",
	},
	{
		Code: expressionRefused, Number: 1235, State: "42000",
		Message: "{operation} is not computed on protected data",
		Fix:     "compute it in the application, or see tunic help functions for what is",
		Why:     "tunic computes what the server cannot compute on ciphertext, if the result is known to be the server's. That is not known for this operation, or for operands of these types.",
	},
	{
		Code: expressionValue, Number: 1235, State: "42000",
		Message: "{operation} is not computed on protected data for a value that it met",
		Fix:     "correct the value: it is text that is not a number or date, or it is beyond what servers compute exactly; give a quotient or an AVG its digits with ROUND or CAST(… AS DECIMAL(p,s))",
		Why:     "The operation is supported, but for this value servers differ, or guess in a way that tunic does not.",
	},
	{
		Code: sessionZone, Number: 1235, State: "42000",
		Message: "the session's time zone {zone} is not known to tunic",
		Fix:     "SET time_zone to an offset such as '+00:00' or to a name of the time zone database",
		Why:     "tunic seals a TIMESTAMP in UTC and converts it as the server would, so it must know the time zone. It knows SYSTEM only if the server's machine is in UTC.",
	},
	{
		Code: localRows, Number: 1104, State: "42000",
		Message: "tunic has to finish this statement itself, {what}, and may read no more than {limit} rows for it",
		Fix:     "ask for fewer rows in a way that the server can follow, add the layer, or raise --local-rows",
		Why:     "tunic does on decrypted rows what the server cannot do on ciphertext. A budget keeps one statement from reading a whole table; `tunic help local` says what is done where.",
	},
	{
		Code: localBytes, Number: 1104, State: "42000",
		Message: "tunic has to finish this statement itself, {what}, and may keep no more than {limit} bytes for it",
		Fix:     "sort, group or compare fewer rows, add a LIMIT, add the layer, or raise --local-bytes",
		Why:     "To sort, group or compare rows, tunic keeps them in memory, or parts of them. A budget keeps one statement from taking all of it.",
	},
	{
		Code: localTotal, Number: 1104, State: "42000",
		Message: "tunic has to finish this statement itself, {what}, and all such statements together may keep no more than {limit} bytes",
		Fix:     "try again when fewer of them run, or raise --local-total-bytes",
		Why:     "The statements of all sessions share one budget of memory.",
	},
	{
		Code: localCombinations, Number: 1104, State: "42000",
		Message: "tunic has to finish this statement itself, {what}, and may look at no more than {limit} combinations of rows for it",
		Fix:     "join by an equality of columns of one type, have conditions leave fewer rows of each table, or raise --local-rows",
		Why:     "A join by an equality finds its rows at once. Without one, and in a correlated subquery, tunic may have to compare every row with every other one. The limit is a multiple of --local-rows.",
	},
	{
		Code: layerAdvised, Number: 1105, State: "01000",
		Message: "tunic has to finish this statement itself, as {column} has no {layer} layer",
		Fix:     "CALL tunic.add_layer if the server may learn what the layer tells; EXPLAIN has its price",
		Why:     "This is a note, not an error: the answer is the same as with the layer. With `--policy-layers advise` it is given once a minute for a layer at most, and only of one that the ceiling allows, that the values do not speak against, and without which a thousand rows were read for nothing. `SET sql_notes = 0` turns it off for a session; `tunic help advice` says more.",
	},
	{
		Code: layerBrought, Number: 1105, State: "01000",
		Message: "layer {layer} of column {column} tells the server {told}; {verdict}",
		Fix:     "leave the key or annotation out, if the server may not learn that; tunic report lists all layers",
		Why:     "This is a note, not an error: the definition is made. It made a layer that no rule names, because of a key, a foreign key, an annotation, or a copy of a table. What the layer tells the server stays in its backups and logs for ever. The verdict is about the values of the column, or about its type if there are none. With `--policy-keys allow` there is no note, and none with `SET sql_notes = 0`; `tunic help advice` says more.",
	},
	{
		Code: checkOff, Number: 1235, State: "42000",
		Message: "a row that fails CHECK {check} while check_constraint_checks is off is not supported",
		Fix:     "correct the row, or drop the CHECK",
		Why:     "tunic computes a CHECK over protected columns, and in an UPDATE only one that reads a column which is set. The server looks at every CHECK of a row that is updated, so such a row would be refused there later, and not by tunic. Rows that fulfil the CHECK are stored.",
	},
	{
		Code: columnPlain, Number: 1235, State: "42000",
		Message: "column {column} of table {table} is plain, and a rule of the policy protects it",
		Fix:     "give the rule waits = true. To protect the column, run tunic decrypt with a policy that says plain of the table's columns, and then tunic encrypt with rules that wait. If tunic encrypt is at work, the column is protected when it has ended. Correct a rule that is not meant for this column",
		Why:     "The rule came after the table was protected. Values of the column would be stored in the clear, though the policy says that they must not be. A rule that waits lets clients use the table until it is encrypted.",
	},
	{
		Code: annotationLost, Number: 1105, State: "01000",
		Message: "column {column} has lost its annotation, tunic: {annotation}, and stays protected as it was",
		Fix:     "set it again with ALTER TABLE … MODIFY and the annotation in the COMMENT",
		Why:     "This is a note, not an error: the definition is made. MODIFY and CHANGE replace the comment of a column, and a definition without one takes the annotation with it. ALTER TABLE does not make a protected column plain. But no rule of the policy says the same of the column: a table that is made of this definition, such as of a dump, would have it plain, or protected otherwise. With `SET sql_notes = 0` there is no note.",
	},
}
