package testenv

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// FreeAddress returns an address on which a program can listen, and listen
// again after a restart. Its port is below those that systems give to outgoing
// connections, so that no connection of another test takes it meanwhile.
func FreeAddress() (string, error) {
	for range 100 {
		addr := fmt.Sprintf("127.0.0.1:%d", 22_000+rand.IntN(10_000))
		if ln, err := net.Listen("tcp", addr); err == nil {
			return addr, ln.Close()
		}
	}

	return "", errors.New("no free port")
}
