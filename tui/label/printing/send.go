package printing

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"bincard/tui/i18n"
)

// An PrinterError reports that a label is not printed, or that this is not known.
type PrinterError struct {
	Reason string // for people: "out of labels"
	// MayBePrinted is set if the connection ended after the first byte of the label. It
	// must not be sent again without asking a person.
	MayBePrinted bool
	Err          error // may be nil
}

func (e *PrinterError) Error() string { return e.Reason }
func (e *PrinterError) Unwrap() error { return e.Err }

// MayBePrinted reports whether an error leaves open if the label is printed.
func MayBePrinted(err error) bool {
	var e *PrinterError
	return errors.As(err, &e) && e.MayBePrinted
}

// A Sender sends labels. The zero value is ready to use.
type Sender struct {
	// Connect, Write and Answer limit how long connecting, sending a label and waiting for
	// an answer take; 5, 20 and 10 seconds if 0.
	Connect, Write, Answer time.Duration
	LP                     string // the program that submits jobs to CUPS; "lp" if ""
}

func (s Sender) connect() time.Duration { return cmp.Or(s.Connect, 5*time.Second) }
func (s Sender) write() time.Duration   { return cmp.Or(s.Write, 20*time.Second) }
func (s Sender) answer() time.Duration  { return cmp.Or(s.Answer, 10*time.Second) }

// Send sends a label and returns once the printer has received it. note says what keeps
// the printer from printing it now, or is "". An error is an *Error.
//
// A TCP printer is asked for its status before, so that nothing is sent to one that is
// out of labels, and after, because its answer proves that it received all. Without
// status, the printer closes the connection once it has received all.
func (s Sender) Send(ctx context.Context, p Printer, data []byte) (note string, err error) {
	by, address, err := p.parseAddress()
	if err != nil {
		return "", &PrinterError{Reason: err.Error()}
	}

	switch by {
	case overFile:
		return "", s.sendFile(ctx, address, data)
	case overCUPS:
		return "", s.sendCUPS(ctx, address, data)
	}

	return s.sendTCP(ctx, address, !p.NoStatus, data)
}

// Status asks a printer for its status. ok is false if the printer is not one that
// reports it. An error means that the printer does not answer.
func (s Sender) Status(ctx context.Context, p Printer) (status PrinterStatus, ok bool, err error) {
	by, address, err := p.parseAddress()
	if err != nil || by != overTCP || p.NoStatus {
		return PrinterStatus{}, false, err
	}

	conn, stop, err := s.dial(ctx, address)
	if err != nil {
		return PrinterStatus{}, true, err
	}

	defer stop()
	status, err = s.ask(conn)

	return status, true, err
}

// dial connects to a printer. stop closes the connection, as does the end of ctx.
func (s Sender) dial(ctx context.Context, address string) (conn net.Conn, stop func(), err error) {
	dialer := net.Dialer{Timeout: s.connect()}
	conn, err = dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, nil, &PrinterError{Reason: i18n.Textf("the printer cannot be reached at %s", address), Err: err}
	}
	unwatch := context.AfterFunc(ctx, func() { conn.Close() })
	return conn, func() { unwatch(); conn.Close() }, nil
}

// ask asks for the status. An error means that no label was sent.
func (s Sender) ask(conn net.Conn) (PrinterStatus, error) {
	_ = conn.SetDeadline(time.Now().Add(s.answer()))
	_, err := io.WriteString(conn, statusRequest)
	var status PrinterStatus
	if err == nil {
		status, err = readStatus(conn)
	}

	if err != nil {
		return PrinterStatus{}, &PrinterError{
			Reason: i18n.Textf("the printer does not report its status; if it never does, set no_status = true for it"),
			Err:    err,
		}
	}

	return status, nil
}

// sendTCP sends a label over a connection of its own.
func (s Sender) sendTCP(ctx context.Context, address string, withStatus bool, data []byte) (note string, err error) {
	conn, stop, err := s.dial(ctx, address)
	if err != nil {
		return "", err
	}

	defer stop()
	if withStatus {
		status, err := s.ask(conn)
		if err != nil {
			return "", err
		}
		if !status.Ready() {
			return "", &PrinterError{Reason: strings.Join(status.Problems, ", ")}
		}
	}

	_ = conn.SetDeadline(time.Now().Add(s.write()))
	if n, err := conn.Write(data); err != nil {
		return "", connectionLost(n > 0, err)
	}

	if withStatus {
		status, err := s.ask(conn)
		if err != nil {
			return "", connectionLost(true, err)
		}
		return strings.Join(status.Problems, ", "), nil
	}

	if half, ok := conn.(interface{ CloseWrite() error }); ok {
		if err := half.CloseWrite(); err != nil {
			return "", connectionLost(true, err)
		}
	}

	_ = conn.SetDeadline(time.Now().Add(s.answer()))
	if _, err := io.Copy(io.Discard, io.LimitReader(conn, 1<<20)); err != nil {
		return "", connectionLost(true, err)
	}

	return "", nil
}

// connectionLost is the error of a connection that ended while a label was sent.
func connectionLost(begun bool, err error) error {
	if begun {
		return &PrinterError{
			Reason:       i18n.Textf("the connection to the printer ended while the label was sent"),
			MayBePrinted: true,
			Err:          err,
		}
	}

	return &PrinterError{Reason: i18n.Textf("the printer accepts no data"), Err: err}
}
