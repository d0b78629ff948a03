// Package build plans how a statement over protected tables is carried out: of a tree, a catalog, a
// schema and modes a [Builder] makes a recipe.Run, or says why there is none.
//
// Each statement is planned by the first of an ordered list of rules that is for it (buildRules): a
// query that needs a tree of steps, a statement that writes several tables, an INSERT of the rows of
// a query, and those of one table. What the server can do goes into the stored statement; the rest
// becomes steps on the rows that come back.
//
// What of a condition the server decides by tokens is found out by the conditions of a table, which know its columns
// (package columns) and the slots of a run, and no more of it.
//
// A Run may have alternatives, for executions that it is not for: they are made by the same rules,
// with the Builder told what not to do. What is lacking to plan a statement, tables that nobody has
// described or views that have to be told anew, is noted beside its refusal ([Lacking]).
//
// What a rule finds to be in its way is an ending, a result that its callers hand up: a refusal, which is the client's
// to read, a statement that is wrong, which the server is asked about over the twin, or one that fails when it is run.
// Only a refusal leaves the package as an error, and no error is looked at here to find out what to do.
//
// It decides nothing about texts: whether a statement comes here at all is for package plan to say.
package build
