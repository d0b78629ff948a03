package login

import (
	"bufio"
	"errors"
	"net"
	"net/netip"
	"slices"

	"github.com/pires/go-proxyproto"
)

// A balancer that speaks the PROXY protocol says in a header, before anything else on a
// connection, where the client is. Who is in a network that the operator has named has to send
// one, and is believed; from others it is what it would be without: no packet of MySQL's.

// headerBytes is more than any header without extensions has; others are read in several parts.
const headerBytes = 256

var errNoStream = errors.New("it is of no stream")

// ReadHeader reads the header; client is nil if it is of a connection of the balancer's own. begun is what has come
// behind it.
func ReadHeader(from net.Conn) (client net.Addr, begun []byte, err error) {
	reader := bufio.NewReaderSize(from, headerBytes)
	header, err := proxyproto.Read(reader)
	switch {
	case err != nil:
		return nil, nil, err
	case !header.TransportProtocol.IsUnspec() && !header.TransportProtocol.IsStream():
		return nil, nil, errNoStream
	}
	if told, ok := header.SourceAddr.(*net.TCPAddr); ok && !header.Command.IsLocal() {
		client = told
	}
	buffered, _ := reader.Peek(reader.Buffered())
	return client, slices.Clone(buffered), nil
}

// InNetworks reports whether an address is in one of the networks.
func InNetworks(networks []netip.Prefix, a net.Addr) bool {
	if len(networks) == 0 {
		return false
	}
	ip := ipOf(a)
	return slices.ContainsFunc(networks, func(network netip.Prefix) bool { return network.Contains(ip) })
}
