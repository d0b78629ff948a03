package sqlerr

// jobTable are the errors of procedures of schema tunic.
var jobTable = []Entry{
	{
		Code: jobProcedure, Number: 1305, State: "42000",
		Message: "schema tunic has no procedure {name}",
		Fix:     "call add_layer, drop_layer, pause, resume, cancel, jobs or layers; see tunic help layers",
		Why:     "Procedures of schema tunic are tunic's own. tunic never calls a procedure of that schema at the server.",
	},
	{
		Code: jobArguments, Number: 1318, State: "42000",
		Message: "procedure tunic.{name} takes other arguments: {why}",
		Fix:     "give values or parameters as tunic help layers shows them",
		Why:     "The number or the kind of arguments is wrong. Arguments are strings, numbers, NULL or parameters of a prepared statement: no expressions, no user variables.",
	},
	{
		Code: jobNone, Number: 1105, State: "HY000",
		Message: "there is no job {id}",
		Fix:     "see the numbers of jobs by CALL tunic.jobs()",
		Why:     "There is no job of that number, it ended long ago, or the account has no privilege on its table.",
	},
	{
		Code: jobEnded, Number: 1105, State: "HY000",
		Message: "job {id} has ended",
		Fix:     "ask for a new one",
		Why:     "A job that is done or cancelled cannot be paused, resumed or cancelled.",
	},
	{
		Code: jobFinal, Number: 1105, State: "HY000",
		Message: "job {id} cannot be cancelled any more",
		Fix:     "let it end, and ask for the way back",
		Why:     "The job has done something that cannot be undone, or is of a kind that has no way back.",
	},
	{
		Code: jobBusy, Number: 1105, State: "HY000",
		Message: "job {id} is at layer {layer} of column {column} already",
		Fix:     "wait for it, resume it, or cancel it",
		Why:     "Another job adds or drops the layer. A job that is paused or has failed still counts, since it keeps what it has done.",
	},
	{
		Code: jobUnknown, Number: 1105, State: "HY000",
		Message: "job {id} is of a kind that this version does not have",
		Fix:     "use the version of tunic that it was asked for with",
		Why:     "Another version of tunic serves the same database, and has written the job.",
	},
	{
		Code: layerThere, Number: 1061, State: "42000",
		Message: "column {column} has layer {layer} already",
		Fix:     "nothing has to be done; to get another grain, drop the layer first",
		Why:     "The layer exists and is used: a key, an annotation or a job asked for it.",
	},
	{
		Code: layerAbsent, Number: 1091, State: "42000",
		Message: "column {column} has no layer {layer}",
		Fix:     "see the layers that there are by CALL tunic.layers()",
		Why:     "There is no such layer to drop.",
	},
	{
		Code: layerKey, Number: 1173, State: "42000",
		Message: "table {table} has no key that tells its rows apart, which filling a layer needs",
		Fix:     "give the table a PRIMARY KEY, or a UNIQUE key whose columns are NOT NULL",
		Why:     "tunic goes through the rows a few hundred at a time, in the order of such a key.",
	},
	{
		Code: layerStands, Number: 1553, State: "HY000",
		Message: "layer {layer} of column {column} cannot be dropped: a key of the table is over it",
		Fix:     "drop the key first",
		Why:     "The stored form of a key over a protected column is a key over one of its layers.",
	},
	{
		Code: layerCeiling, Number: 1235, State: "42000",
		Message: "the ceiling of column {column} does not allow layer {layer}",
		Fix:     "raise the ceiling by ALTER TABLE … MODIFY, with a COMMENT that allows it or by a rule that does; a rule that has changed counts after such a MODIFY",
		Why:     "What a column may reveal is decided where the column is defined.",
	},
	{
		Code: layerPlain, Number: 1105, State: "HY000",
		Message: "{name} is not protected, and has no layers",
		Fix:     "name a protected table and a protected column of it",
		Why:     "Only protected columns have layers; the server reads plain columns as they are. A temporary table keeps the layers that it was made with.",
	},
	{
		Code: layerValues, Number: 1105, State: "HY000",
		Message: "the values of column {column} speak against layer {layer}: {why}",
		Fix:     "give a reason as the fourth argument, if the server may learn them",
		Why:     "If a column has few values, one dominant value or, for an order layer, values that fill their range, then somebody who knows their distribution can read them from the layer. The reason is kept in the job. `tunic help advice` has the thresholds.",
	},
	{
		Code: jobTables, Number: 1288, State: "HY000",
		Message: "table tunic.{name} is tunic's own, and can be read by queries only",
		Fix:     "call tunic.add_layer, drop_layer, pause, resume or cancel; see tunic help layers",
		Why:     "tunic.jobs and tunic.layers are not tables of the server: tunic answers each query by itself. They cannot be written, defined or locked. To use a table of your own with such a name, write USE tunic and the name without the schema.",
	},
}
