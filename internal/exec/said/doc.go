// Package said is what servers say in words of their own, where tunic answers in their place: errors of statements that
// they do not get, and the text behind an OK that tells how many rows an UPDATE has found and of how many warnings
// there are. It is read, changed and written here, and decides nothing.
package said
