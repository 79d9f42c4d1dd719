package labeltest

import (
	"bytes"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A PrinterBehavior is what the printer does on one connection.
type PrinterBehavior struct {
	// CloseAfter is how many bytes of the label it reads before it resets the connection;
	// -1 for none.
	CloseAfter int
	Refuse     bool   // it closes the connection at once
	Silent     bool   // it never answers the first status request
	Stall      bool   // it prints, but never answers after the label
	Reset      bool   // it prints, then resets the connection
	Status     string // what it answers first; Ready if ""
}

// GoodPrinter is the behavior of a printer that works.
var GoodPrinter = PrinterBehavior{CloseAfter: -1}

// The answers to status requests.
const (
	ReadyStatus = "\x02030,0,0,1245,000,0,0,0,000,0,0,0\x03\r\n\x02000,0,0,0,0,2,4,0,00000000,1,000\x03\r\n\x021234,0\x03\r\n"
	MediaOut    = "\x02030,1,0,1245,000,0,0,0,000,0,0,0\x03\r\n\x02000,0,0,0,0,2,4,0,00000000,1,000\x03\r\n\x021234,0\x03\r\n"
	Paused      = "\x02030,0,1,1245,002,0,0,0,000,0,0,0\x03\r\n\x02000,0,1,0,0,2,4,0,00000003,1,000\x03\r\n\x021234,0\x03\r\n"
)

// A Printer listens on a socket.
type Printer struct {
	Address string // tcp://127.0.0.1:port
	mu      sync.Mutex
	printed []string
	next    func() PrinterBehavior
}

// StartPrinter starts a printer. next returns the behavior on each connection; GoodPrinter if nil.
func StartPrinter(t *testing.T, next func() PrinterBehavior) *Printer {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	if next == nil {
		next = func() PrinterBehavior { return GoodPrinter }
	}

	p := &Printer{Address: "tcp://" + ln.Addr().String(), next: next}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer conn.Close()
				p.serve(conn.(*net.TCPConn))
			})
		}
	})

	t.Cleanup(func() { ln.Close(); all.Wait() })

	return p
}

// Printed returns the labels that were printed, in order.
func (p *Printer) Printed() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.printed...)
}

// serve reads one connection: status requests, and labels from ^XA to ^XZ.
func (p *Printer) serve(conn *net.TCPConn) {
	p.mu.Lock()
	b := p.next()
	p.mu.Unlock()
	if b.Refuse {
		return
	}

	var data []byte
	labels, buf := 0, make([]byte, 512)
	for {
		n, err := conn.Read(buf)
		data = append(data, buf[:n]...)
		for {
			if i := bytes.Index(data, []byte("~HS")); i >= 0 && !bytes.Contains(data[:i], []byte("^XA")) {
				data = data[i+3:]
				if labels == 0 && b.Silent || labels > 0 && b.Stall {
					_, _ = io.Copy(io.Discard, conn) // until the sender gives up
					return
				}

				answer := b.Status
				if answer == "" {
					answer = ReadyStatus
				}

				_, _ = io.WriteString(conn, answer)

				continue
			}

			start := bytes.Index(data, []byte("^XA"))
			if start >= 0 && b.CloseAfter >= 0 && len(data)-start >= b.CloseAfter {
				_ = conn.SetLinger(0)
				return
			}

			end := bytes.Index(data, []byte("^XZ"))
			if start < 0 || end < 0 {
				break
			}

			p.print(string(data[start : end+3]))
			if b.Reset {
				_ = conn.SetLinger(0)
				return
			}

			labels++
			data = data[end+3:]
		}

		if err != nil {
			return
		}
	}
}

func (p *Printer) print(label string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.printed = append(p.printed, strings.TrimSpace(label))
}
