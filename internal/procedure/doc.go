// Package procedure carries out tunic's own procedures, tunic.add_layer and its like, and has the rows of tunic's
// own tables and the words for layers that a definition has brought.
//
// Whether a client may is the server's to say, of the client's own account and roles: it is asked to alter the
// table in nothing, which takes the privilege to alter it, and ends the transaction, as any definition does.
//
//	CALL ──► arguments ──► may the client? (server) ──► do the values speak against it? (advice) ──► job
//
// A Call has what it needs of a client: a ddl.Client, which runs statements on the client's own connection, the
// current schema, and whether its texts are in UTF-8. It knows no session and no protocol: what it comes to is a
// job or an error. The work is that of package jobs.
package procedure
