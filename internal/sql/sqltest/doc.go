// Package sqltest holds the texts and modes with which the tests of package sql and of those below it begin, and a
// second, slow lexer with which they compare: [Tokens].
package sqltest
