// Package budget bounds what statements may take: the memory of large statements and of rows that are kept for
// local work, and how many large ones are made at a time. Whoever needs much asks for it first, and waits in
// turn or is refused; a statement gives back what it took when it ends. What one session has taken for what its client
// sends is an Allotment: before a packet is read, for parts of parameters, and until the statement is through. The
// package counts promises: it allocates nothing, and knows no statement, session or row.
package budget
