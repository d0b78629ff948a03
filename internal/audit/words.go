package audit

import "tunic/internal/ddl/examination"

// What was found, in the words that `tunic verify` and `tunic report` print.

// Says is what is wrong, without what to do about it.
func (p Plain) Says() string {
	switch {
	case p.Column == "" && p.Next == "decrypt":
		return "all columns are in the clear at the server"
	case p.Column == "":
		return "its file may have values in the clear"
	}
	return "column " + p.Column + " is in the clear at the server"
}

// Unchecked is what a table lacks that was encrypted without a copy; how it comes is behind it.
const (
	UncheckedSays = "without a CHECK the server would take plain values, such as from a trigger of another table"
	uncheckedFix  = ", ALGORITHM=COPY, through tunic, adds it, and writers wait meanwhile"
)

// UncheckedFix is how a table gets the CHECK.
func UncheckedFix(schema, table string) string {
	return "ALTER TABLE " + schema + "." + table + " FORCE" + uncheckedFix
}

// Fix is what to do about what was found of a table or view; "" where that is nothing of its own.
func (t *Table) Fix(m examination.Mismatch) string {
	switch {
	case m.Reader():
		return ReaderFix
	case !t.View:
		return ""
	case m.Problem == examination.Missing:
		return "create it again through tunic"
	case m.Problem == examination.Copied:
		return "drop it, and create it again through tunic by its own definition"
	}
	return "drop the view at the server, and create it again through tunic"
}

// ReaderFix is what to do about a view of the server's that reads what is tunic's.
const ReaderFix = "drop the view, and make it again through tunic"

// MismatchSays is what is not as the catalog says.
func MismatchSays(m examination.Mismatch) string {
	of, problem := m.Of, "is "+m.Problem
	switch {
	case m.Leftover():
		problem = "is left over from something that was cut off; the next change of the table drops it"
	case m.Reader():
		problem = "is not tunic's, and shows stored forms or no rows of it"
	case m.Problem == examination.Copied:
		problem = "is made of what the server has of a view, and shows no rows"
	case m.Problem == examination.Different:
		problem = "is not as the catalog says"
	}
	if m.Name != "" {
		of += " " + m.Name
	}
	return of + " " + problem
}
