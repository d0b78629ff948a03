// Package remark adds to an EXPLAIN what tunic has to say of a statement itself: which conditions the server reads by a
// layer, and what is finished here (package explanation says what that is).
//
// Servers explain in three forms, and tunic's words are in each where one looks for them: rows behind the server's, a member
// of a JSON document, a node of a tree. What the server says of the stored statement has stored forms in it, of values
// that were asked for or that rows have. They are left out where it is text.
//
//	columns ── Of ──► Remarks ── Rows ──► rows behind the server's
//	                          ── Adapt ──► the server's text, without forms, with tunic's words
package remark
