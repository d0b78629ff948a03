// Package views puts the queries of views over protected tables into the place of their names. It is
// handed a catalog, a schema and modes, and knows nothing of how a statement is carried out.
//
// A statement that names views is planned as one in which their queries stand in their places: as
// derived tables, or, where that comes to the same, merged with the query around. The server
// describes it over the twins of the views, and decides who may read them by the views that stand
// at the server, which have no rows (Guard).
//
// A statement that writes through a view is one on the view's table, if the view can be merged and
// the server says that it can be written to.
//
//	UPDATE v SET b = 2 WHERE a = 1        of a view AS SELECT x AS a, y AS b FROM t WHERE z
//	UPDATE t SET t.y = 2 WHERE z AND t.x = 1
//
// Who may write to the view is the server's to say: it is asked to write no row of the stored view
// before (WritesNone).
package views
