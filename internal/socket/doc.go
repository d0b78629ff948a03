// Package socket makes reading and writing a stream socket cheap for a
// goroutine that does little else.
//
// The net package enters and leaves the scheduler around every read and write,
// because a system call may block. On a socket in non-blocking mode it cannot:
// it copies what is there, or says that nothing is. A Conn calls the kernel
// directly, and the scheduler only to wait. On a proxy's path, where a query is
// four system calls and little besides, that is a fifth of the cost, and the
// runtime does not take the processor away from a goroutine whose call happens
// to take long.
//
// Everything else (deadlines, closing, addresses) stays with the net package.
package socket
