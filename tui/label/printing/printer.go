package printing

import (
	"fmt"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"bincard/tui/label"
)

// A Printer is a label printer that understands ZPL.
type Printer struct {
	Name string `toml:"name"`
	// Address is tcp://host:port, file:/path, a path, or cups:NAME.
	Address string `toml:"address"`
	// Location and Terminal say for whom the printer is chosen: those who work at the
	// location with this code, and the machine with this name.
	Location string `toml:"location,omitempty"`
	Terminal string `toml:"terminal,omitempty"`
	DPI      int    `toml:"dpi,omitempty"`      // 203 if 0
	Template string `toml:"template,omitempty"` // of the labels that are in it
	Font     string `toml:"font,omitempty"`     // see label.ZPLOptions
	// NoStatus says that a TCP printer does not answer the status request of ZPL.
	NoStatus bool `toml:"no_status,omitempty"`
}

// defaultPort is the port of printers.
const defaultPort = "9100"

type transport int

const (
	overTCP transport = iota
	overFile
	overCUPS
)

var cupsName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,126}$`)
})

// parseAddress returns how to reach the printer, and the host and port, path or name.
func (p Printer) parseAddress() (transport, string, error) {
	a := p.Address
	switch {
	case strings.HasPrefix(a, "tcp://"):
		host, port, err := net.SplitHostPort(strings.TrimPrefix(a, "tcp://"))
		if err != nil {
			host, port = strings.Trim(strings.TrimPrefix(a, "tcp://"), "[]"), defaultPort
		}
		if host == "" || port == "" || strings.ContainsAny(host, "/ ") {
			break
		}
		return overTCP, net.JoinHostPort(host, port), nil

	case strings.HasPrefix(a, "cups:"):
		if name := strings.TrimPrefix(a, "cups:"); cupsName().MatchString(name) {
			return overCUPS, name, nil
		}
	case strings.HasPrefix(a, "file:"):
		if path := strings.TrimPrefix(strings.TrimPrefix(a, "file:"), "//"); path != "" {
			return overFile, path, nil
		}
	case !strings.Contains(a, "://") && (strings.ContainsRune(a, '/') || strings.ContainsRune(a, filepath.Separator)):
		return overFile, a, nil
	}

	return 0, "", fmt.Errorf(
		"the address %q is not one of a printer: use tcp://host:9100, file:/dev/usb/lp0 or cups:NAME", a)
}

// Check returns an error if the settings of a printer are wrong.
func (p Printer) Check() error {
	if p.Name == "" || strings.ContainsAny(p.Name, "\x00\n\r") || len(p.Name) > 100 {
		return fmt.Errorf("a printer needs a name of 1 to 100 characters, not %q", p.Name)
	}
	if p.DPI != 0 && !label.HasResolution(p.DPI) {
		return fmt.Errorf("dpi = %d is not supported: use 203, 300 or 600", p.DPI)
	}
	if err := label.CheckFont(p.Font); err != nil {
		return err
	}

	_, _, err := p.parseAddress()

	return err
}

// A Printers is the printers of a company.
type Printers []Printer

// Find returns the printer with a name.
func (l Printers) Find(name string) (Printer, error) {
	var names []string
	for _, p := range l {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
		names = append(names, p.Name)
	}

	if len(names) == 0 {
		return Printer{}, fmt.Errorf("there is no printer %q: no printers are set up, see 'bincard help labels'", name)
	}

	return Printer{}, fmt.Errorf("there is no printer %q: use one of %s", name, strings.Join(names, ", "))
}

// Choose returns the printer for someone who works at a location with a terminal: the one
// with most in common that has no other location or terminal. Of those with as much in
// common, it is the first one. ok is false if no printer fits.
func (l Printers) Choose(location, terminal string) (chosen Printer, ok bool) {
	best := -1
	for _, p := range l {
		common := 0
		if p.Terminal != "" {
			common += 2
		}
		if p.Location != "" {
			common++
		}

		fits := (p.Location == "" || strings.EqualFold(p.Location, location)) &&
			(p.Terminal == "" || strings.EqualFold(p.Terminal, terminal))
		if fits && common > best {
			chosen, ok, best = p, true, common
		}
	}

	return chosen, ok
}
