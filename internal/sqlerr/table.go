package sqlerr

import "slices"

// table holds every error, in order of code. A line that was released keeps
// its code, number and state for ever: drivers and operators match on them.
var table = slices.Concat(startTable, statementTable, definitionTable, jobTable, clientTable)
