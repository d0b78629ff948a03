package exec

// Galera ends a transaction whenever another node's has won. Where that comes between two
// statements of one text, the server does not say so: it carries out the second as a transaction
// of its own, over what the other one has written (seen with MariaDB 10.11, of direct clients
// too). To a command of its own it answers 1213. So a node of Galera is sent the statements one by
// one, each when the one before is done.
