// Package local does on opened rows what the server cannot do on their stored forms: it filters, groups, sorts,
// removes duplicates, computes windows, and joins the relations of a recipe.Tree.
//
// A Query is the local work of one statement. It is compiled for sessions of one kind and values of one form into
// a Program, which nothing changes and any number of executions share. An Execution makes of it a chain of Sinks:
// rows are pushed into the first, one by one, and what comes out of the last is the answer. A Sink that has
// enough says ErrEnough.
//
//	rows ──► filter ──► group ──► window ──► project ──► sort ──► limit ──► the sink of who asked
//
// The package knows rows, values and programs. It knows no session, no client and no server: what it needs of
// them is in eval.Session and eval.Inputs. What it keeps of rows it accounts for in a budget.Account.
package local
