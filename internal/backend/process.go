package backend

import (
	"strconv"
	"strings"
)

// Process is where a connection is at: which process of a server, and by which number it has it. Behind
// a balancer the same number is another connection's at another server, and the number of the greeting
// is the lower half of TiDB's.
type Process struct {
	Server     string // "" where the server has not told
	Connection uint64
}

// processColumn has the server tell of the process. No server tells of itself by one value: those of a
// cluster may have one server_id, those in containers one port and datadir, and only MySQL has a number
// that is made for one.
var processColumn = InBytes("CONCAT_WS(_utf8mb4' ', CONNECTION_ID(), @@server_id, @@port, @@hostname, @@datadir /*!50717 , @@server_uuid */)")

// Process is that of the connection, as Settings or Environment have found it; the zero Process before.
func (c *Conn) Process() Process { return c.process }

// tellsProcess takes what processColumn says.
func (c *Conn) tellsProcess(told string) {
	number, server, _ := strings.Cut(told, " ")
	if n, err := strconv.ParseUint(number, 10, 64); err == nil {
		c.process = Process{server, n}
	}
}
