package viewtext

import (
	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
)

// Create is the statement by which a client makes a view of tunic's again. The definer is whoever runs it.
func Create(v *catalog.Table) string {
	statement := "CREATE " + Manner(v.View.Algorithm, v.View.Security) + "VIEW " + NameIn(v)
	names := make([]string, len(v.Columns))
	for i := range v.Columns {
		names[i] = v.Columns[i].Name
	}
	statement += " (" + showcreate.QuoteNames(names) + ") AS " + v.View.Shown
	if v.View.Check != "" {
		statement += " WITH " + v.View.Check + " CHECK OPTION"
	}
	return statement
}

// Manner is what a definition says of a view before the word VIEW, where that is not what it is without.
func Manner(algorithm, security string) (said string) {
	if algorithm != "" && algorithm != "UNDEFINED" {
		said = "ALGORITHM=" + algorithm + " "
	}
	if security == "INVOKER" {
		said += "SQL SECURITY INVOKER "
	}
	return said
}
