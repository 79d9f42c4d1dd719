package testenv

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"
)

// addresses is the number of addresses that this process has tried.
var addresses atomic.Int64

// FreeAddress returns an address on which a program can listen, and listen
// again after a restart. Its port is below those that systems give to outgoing
// connections, so that no connection of another test takes it meanwhile. Each
// process takes one after the other of its own ports, so that no other test does.
func FreeAddress() (string, error) {
	for range 100 {
		addr := fmt.Sprintf("127.0.0.1:%d", 22_000+os.Getpid()%100*100+int(addresses.Add(1)%100))
		if ln, err := net.Listen("tcp", addr); err == nil {
			return addr, ln.Close()
		}
	}

	return "", errors.New("no free port")
}
