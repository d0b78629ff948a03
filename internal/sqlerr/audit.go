package sqlerr

import "strconv"

// AuditFaults is what a look at everything that is stored ends with if something is not
// as it was written: in so many of the tables.
func AuditFaults(bad, tables int) *StartError {
	return &StartError{Code: auditFaults, Problem: "not all is as tunic has written it in " + strconv.Itoa(bad) + " of " + strconv.Itoa(tables) + " tables"}
}

// AuditNothing is a table that is not protected, or a database without any; err says which.
func AuditNothing(err error) *StartError {
	return &StartError{Code: auditNothing, Problem: err.Error()}
}
