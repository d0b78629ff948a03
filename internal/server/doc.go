// Package server accepts clients and gives each a session.
//
// It holds what lies around sessions: the listening socket, the certificate
// clients see, the limit on connections, a watch over sessions that are idle or
// stuck, and the orderly end. It knows nothing of the protocol beyond the
// greeting it refuses a client with.
package server
