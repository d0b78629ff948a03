package sqlerr

// Errors of procedures of schema tunic.

// NoProcedure says that schema tunic has no such procedure.
func NoProcedure(name string) *Error { return clientError(jobProcedure, ident("name", name)) }

// OwnTable refuses to write, define or lock a table of schema tunic.
func OwnTable(name string) *Error { return clientError(jobTables, ident("name", name)) }

// ProcedureArguments refuses a call, and says what the arguments are to be.
func ProcedureArguments(name string) *Error {
	usage, ok := usages[name]
	if !ok {
		usage = "none"
	}
	return clientError(jobArguments, ident("name", name), constant("why", usage))
}

// usages are what the arguments of procedures are.
var usages = map[string]fact{
	"add_layer":  "'db.table', 'column', 'equality', 'order' or 'order/grain'[, 'reason']",
	"drop_layer": "'db.table', 'column', 'equality' or 'order'[, 'reason']",
	"pause":      "the number of a job",
	"resume":     "the number of a job",
	"cancel":     "the number of a job",
}

// NoJob says that there is no job of a number, or none that the client may know of.
func NoJob(id uint64) *Error { return clientError(jobNone, number("id", id)) }

// JobEnded says that a job is done or cancelled.
func JobEnded(id uint64) *Error { return clientError(jobEnded, number("id", id)) }

// JobFinal says that a job cannot be cancelled, or not any more.
func JobFinal(id uint64) *Error { return clientError(jobFinal, number("id", id)) }

// JobBusy says that a live job is at the layer already.
func JobBusy(id uint64, column, layer string) *Error {
	return clientError(jobBusy, number("id", id), ident("column", column), ident("layer", layer))
}

// JobUnknown says that a job is of a kind that this version does not have.
func JobUnknown(id uint64) *Error { return clientError(jobUnknown, number("id", id)) }

// LayerThere says that a column has a layer.
func LayerThere(column, layer string) *Error {
	return clientError(layerThere, ident("column", column), ident("layer", layer))
}

// LayerAbsent says that it has not.
func LayerAbsent(column, layer string) *Error {
	return clientError(layerAbsent, ident("column", column), ident("layer", layer))
}

// LayerKey refuses to add a layer to a table whose rows no key tells apart.
func LayerKey(table string) *Error { return clientError(layerKey, ident("table", table)) }

// LayerStands refuses to drop a layer that a key is over.
func LayerStands(column, layer string) *Error {
	return clientError(layerStands, ident("column", column), ident("layer", layer))
}

// LayerCeiling refuses to add a layer above a column's ceiling.
func LayerCeiling(column, layer string) *Error {
	return clientError(layerCeiling, ident("column", column), ident("layer", layer))
}

// LayerPlain says that a table, or a column of it, is not protected.
func LayerPlain(name string) *Error { return clientError(layerPlain, ident("name", name)) }

// Values is what speaks against a layer of a column.
type Values uint8

// What may speak against it.
const (
	ValuesUnknown   Values = iota // nobody could look
	ValuesFew                     // there are few
	ValuesDominated               // one has a large part of the rows
	ValuesDense                   // they fill their range
)

var valuesFacts = [...]fact{
	ValuesUnknown:   "they could not be looked at, the log says why",
	ValuesFew:       "they are fewer than 100, and how often each occurs would name them",
	ValuesDominated: "one of them has a quarter of the rows or more, and would be known at once",
	ValuesDense:     "they fill a quarter or more of their range, and their order would name them",
}

// LayerValues refuses to add a layer that the values of its column speak against.
func LayerValues(column, layer string, what Values) *Error {
	return clientError(layerValues, ident("column", column), ident("layer", layer), constant("why", valuesFacts[what]))
}
