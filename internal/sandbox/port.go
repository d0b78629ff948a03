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

// givenPorts are those that this process has been given. None is given twice: one
// that nobody listens on yet may be another server's by the time it starts.
var givenPorts sync.Map

// freePort returns a port of 127.0.0.1 that nobody listens on and that it has not
// returned before. Another process may take it before it is used: whoever starts a
// server on it must be ready to try again.
func freePort() (int, error) {
	for range portTries {
		port := portMin + rand.IntN(portMax-portMin)
		if _, given := givenPorts.LoadOrStore(port, true); given {
			continue
		}
		l, err := net.Listen("tcp", loopback(port))
		if err != nil {
			continue
		}
		return port, l.Close()
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
