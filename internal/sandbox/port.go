package sandbox

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Ports are taken below the range from which kernels number outgoing connections
// (32768 and up on Linux), so that no connection can take the port of a server
// that is down for a moment.
const (
	portMin   = 20000
	portMax   = 32000
	portTries = 200
)

// givenPorts are those that this process has been given, with what keeps each from other
// processes. None is given twice: one that nobody listens on yet may be another server's by the
// time it starts.
var givenPorts sync.Map

// freePort returns a port of 127.0.0.1 that nobody listens on and that no process of the sandbox
// has been given: as long as this one lives, it holds the UDP port of the same number.
func freePort() (int, error) {
	for range portTries {
		port := portMin + rand.IntN(portMax-portMin)
		held, err := net.ListenPacket("udp", loopback(port))
		if err != nil {
			continue
		}
		if l, err := net.Listen("tcp", loopback(port)); err == nil {
			givenPorts.Store(port, held)
			return port, l.Close()
		}
		_ = held.Close()
	}
	return 0, fmt.Errorf("no free port on 127.0.0.1 between %d and %d", portMin, portMax)
}

// choosePort returns the port asked for, or a free one for 0.
func choosePort(want int) (int, error) {
	if want != 0 {
		return want, nil
	}
	return freePort()
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
