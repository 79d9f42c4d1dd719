package remote

import (
	"sync"

	"github.com/charmbracelet/ssh"
)

// A Server serves the shell over SSH.
type Server struct {
	cfg     Config
	limiter *authLimiter
	ssh     *ssh.Server

	mu       sync.Mutex
	sessions []*session // oldest first
	ending   bool
	wait     sync.WaitGroup
}
