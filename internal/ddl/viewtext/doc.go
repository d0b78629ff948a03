// Package viewtext writes and reads the texts of views over protected tables.
//
// A view that an application makes becomes two of the server's. The twin is a view over twins, in tunic's own schema:
// the server says by it which columns the view has, and shows the query in its own words. The stored view has the
// view's name and columns, reads the stored columns of what the view reads, and has no row: the server asks for the
// same privileges and finds the same tables missing, and whoever reads it without tunic gets nothing. Its last column
// is its mark.
//
// What a server shows of a view is the query of its twin: names of twins stand in it, strings that stand for the
// client's, and positions that MariaDB loses. The functions here put back what the client wrote, and find out which
// column of a table each column of the view comes from. They know of no server; package ddl asks it.
package viewtext
