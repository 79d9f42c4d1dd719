package printing

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"bincard/tui/i18n"
)

// sendFile writes a label to a device, or appends it to a file.
func (s Sender) sendFile(ctx context.Context, path string, data []byte) error {
	type result struct {
		n   int
		err error
	}
	opened, done := make(chan struct{}), make(chan result, 1)
	go func() { // a device may block, and some cannot be interrupted
		f, err := openDevice(path)
		if err != nil {
			done <- result{0, err}
			return
		}

		close(opened)
		n, err := f.Write(data)
		if info, bad := f.Stat(); err == nil && bad == nil && info.Mode().IsRegular() {
			err = f.Sync()
		}

		done <- result{n, errors.Join(err, f.Close())}
	}()

	ctx, cancel := context.WithTimeout(ctx, s.write())
	defer cancel()
	select {
	case r := <-done:
		if r.err != nil && r.n == 0 {
			return &PrinterError{
				Reason: i18n.Textf("the printer %s cannot be opened: %s", path, r.err.Error()),
				Err:    r.err,
			}
		}

		if r.err != nil {
			return connectionLost(true, r.err)
		}

		return nil

	case <-ctx.Done():
		select {
		case <-opened:
			return connectionLost(true, ctx.Err())
		default:
			// It may still be opened and written to.
			return &PrinterError{
				Reason:       i18n.Textf("the printer %s does not answer", path),
				MayBePrinted: true,
				Err:          ctx.Err(),
			}
		}
	}
}

// openDevice opens a device or file for writing. It creates a file, but none among the
// devices, where it would take the place of a printer that is turned off.
func openDevice(path string) (*os.File, error) {
	flags := os.O_WRONLY | os.O_APPEND
	if !strings.HasPrefix(filepath.Clean(path), "/dev/") {
		flags |= os.O_CREATE
	}
	return os.OpenFile(path, flags, 0o600)
}

// sendCUPS submits a label to CUPS, which prints it.
func (s Sender) sendCUPS(ctx context.Context, name string, data []byte) error {
	lp := s.LP
	if lp == "" {
		lp = "lp"
	}

	ctx, cancel := context.WithTimeout(ctx, s.write())
	defer cancel()
	var says bytes.Buffer
	cmd := exec.CommandContext(ctx, lp, "-d", name, "-o", "raw", "-t", "bincard")
	cmd.Stdin, cmd.Stderr, cmd.WaitDelay = bytes.NewReader(data), &says, time.Second
	if err := cmd.Start(); err != nil {
		return &PrinterError{Reason: i18n.Textf("CUPS is not available: %s", err.Error()), Err: err}
	}

	err := cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit) && exit.Exited():
		return &PrinterError{
			Reason: i18n.Textf("CUPS does not accept the label: %s", firstLine(says.String(), err)),
			Err:    err,
		}
	}

	return connectionLost(true, errors.Join(err, ctx.Err()))
}

// firstLine returns the first line that a program wrote, or else its error.
func firstLine(text string, err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line = strings.TrimSpace(line); line != "" && len(line) < 300 {
		return line
	}
	return err.Error()
}
