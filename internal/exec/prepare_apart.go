package exec

// Galera may end a transaction while it prepares a statement, because another node's has won.
// Where that statement has a result, the server has answered by then, and says nothing of it: not
// at the next command either, which is carried out as if nothing had been (seen with MariaDB
// 10.11, of direct clients too: one transaction in four that was ended during a COM_STMT_PREPARE
// of a SELECT; none during that of another statement). tunic prepares a SELECT for an UPDATE
// of the client's. So where the client has a transaction, a node of Galera is asked behind such a
// preparation whether it is still there.

// Stood reports whether the server was asked for the flags of the session when a statement was
// prepared: ROW_COUNT() is then no more of the statement before.
func (s *Session) Stood() bool { return s.stood }
