// Package check looks at every statement before it is sent to the server, whatever rule has made it: a value of a
// protected column may only be in a slot, and the server computes nothing with ciphertext. What does not pass is a
// mistake of the rules, and ends in a refusal.
//
// It is handed a tree and the tables that it names, and decides by the names of stored columns alone what the tree
// does with which form. So it believes nothing that the rules have concluded: not what they take for plain, not
// what they have put into a slot. It does know from the catalog which tokens have the order of their values: by others
// nothing is sorted, and nothing compared but for equality. Bare is the exception: the plain form of a column that is
// being decrypted takes its value as it is, so Bare is told what the slots are for.
//
// The package knows the catalog, trees of SQL and slots. It must never know the planner: a check that asks a rule
// is none.
package check
