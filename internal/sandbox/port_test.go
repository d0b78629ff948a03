package sandbox

import (
	"net"
	"testing"
)

// Two servers that one process starts must not be given one port: neither listens
// yet when the other is given its own.
func TestPortsAreGivenOnce(t *testing.T) {
	given := make(map[int]bool)
	for range 2000 { // of 12,000: by chance alone some 150 would come twice
		port, err := freePort()
		if err != nil {
			t.Fatal(err)
		}
		if given[port] {
			t.Fatalf("port %d is given twice", port)
		}
		given[port] = true
	}
}

// The packages of one run are tested at a time, and each starts servers.
func TestPortIsKeptFromOtherProcesses(t *testing.T) {
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	if other, err := net.ListenPacket("udp", loopback(port)); err == nil {
		_ = other.Close()
		t.Fatalf("another process can be given port %d", port)
	}
}
