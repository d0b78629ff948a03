// Package rowcache keeps sealed forms of rows that sessions have written lately, or read by their key, over their statements and for
// all of them: see docs/decisions/0054.
//
// Nothing says that the server still has them: who computes from one compares it where it writes.
package rowcache
