// Package twin prepares a client's statement to be described by the server over the empty twins of its tables, so
// that nothing is told by it but its words.
//
//   - Silent refuses a statement with a literal that has no place: what has one is filled with another value.
//   - Mute takes texts out of calls that servers describe only if they are well formed, and that decide nothing.
//   - FindDigits and KeysOf find the few literals that decide what the columns of an answer are: short numbers,
//     formats, and what GROUP BY and ORDER BY say again of the list. These stay the client's.
//   - Namesakes keeps tables apart that have one name in several schemas, as all twins are in one.
//
// It works on a tree that is the caller's to change. Which tables stand for which names, and what is sent
// to be described at all, is the planner's, which it does not know.
package twin
