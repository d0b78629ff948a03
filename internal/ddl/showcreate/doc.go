// Package showcreate reads the text of SHOW CREATE TABLE into its parts, columns, keys, foreign keys, CHECKs and
// options, and writes it again. Each part keeps its text, so that what is not understood in it is carried along
// and not lost: reading and writing a text gives that text.
//
// Below the parts are tokens: names, strings, words and marks with their places. Edits of a definition are
// spans of its text and what is to stand there. The package knows what servers print and nothing of what tunic
// stores; whose definition it is, and what is protected in it, its callers know.
package showcreate
