// Package information knows the tables of information_schema: which of them tell of columns, keys
// and constraints, so that a query in their place has to tell the logical facts, which are refused,
// and which of their columns the server does not know. Others are the server's business.
package information
