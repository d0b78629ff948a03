// Package budget bounds what statements may take: the memory of large statements and of rows that are kept for
// local work, and how many large ones are made at a time. Whoever needs much asks for it first, and waits in
// turn or is refused; a statement gives back what it took when it ends. The package counts promises: it
// allocates nothing, and knows no statement, session or row.
package budget
