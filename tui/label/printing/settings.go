package printing

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/BurntSushi/toml"

	"bincard/tui/label"
)

// Settings are the contents of the file labels.toml. A person writes it; programs only
// read it.
type Settings struct {
	// Printer is the name of the default printer.
	Printer string `toml:"printer"`
	// Terminal is the name of this machine instead of its host name.
	Terminal string `toml:"terminal"`
	// Template is the name of the template for all labels but those of pallets.
	Template string `toml:"template"`
	// LinkDomain is before the path of the Digital Links in QR codes.
	LinkDomain string `toml:"link_domain"`
	// CompanyPrefix, Extension, From and To number pallets; see numbers.Pallets.
	CompanyPrefix string `toml:"company_prefix"`
	Extension     int    `toml:"sscc_extension"`
	From          int64  `toml:"sscc_from"`
	To            int64  `toml:"sscc_to"`
	// Serials and Lots are the patterns of new serial numbers and lots, or "".
	Serials NumberPattern `toml:"serials"`
	Lots    NumberPattern `toml:"lots"`

	Printers Printers `toml:"printers"`
	// Automatic says which labels are printed after a receipt without asking.
	Automatic []Automatic `toml:"automatic"`
}

// An SettingsError reports a mistake in the file.
type SettingsError struct {
	File string
	Line int
	Err  error
}

func (e *SettingsError) Error() string {
	if e.Line == 0 { // the error names it
		return fmt.Sprintf("%s, %v. Correct or remove the file.", e.File, e.Err)
	}
	return fmt.Sprintf("%s, line %d: %v. Correct or remove the file.", e.File, e.Line, e.Err)
}
func (e *SettingsError) Unwrap() error { return e.Err }

// ReadSettings reads the settings in a file. A missing file is empty settings.
func ReadSettings(file string) (Settings, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Settings{}, nil
	}
	if err != nil {
		return Settings{}, fmt.Errorf("cannot read the label settings: %w", err)
	}
	return ParseSettings(file, string(text))
}

// ParseSettings parses and checks settings. file is their name in messages.
func ParseSettings(file, text string) (Settings, error) {
	var s Settings
	meta, err := toml.Decode(text, &s)
	var problem toml.ParseError
	if errors.As(err, &problem) {
		return s, &SettingsError{file, problem.Position.Line, errors.New(cmp.Or(problem.Message, problem.Error()))}
	}
	if err != nil {
		return s, &SettingsError{file, 0, errors.New(strings.TrimPrefix(err.Error(), "toml: "))}
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0][len(unknown[0])-1]
		return s, &SettingsError{file, settingsLine(text, key), fmt.Errorf("unknown setting %q", key)}
	}
	if key, err := s.check(); err != nil {
		return s, &SettingsError{file, settingsLine(text, key), err}
	}

	return s, nil
}

// check returns the first mistake, and a word in its line.
func (s Settings) check() (key string, err error) {
	names := map[string]bool{}
	for _, p := range s.Printers {
		if err := p.Check(); err != nil {
			return p.Name, fmt.Errorf("printer %q: %w", p.Name, err)
		}
		name := strings.ToLower(p.Name)
		if names[name] {
			return p.Name, fmt.Errorf("there are two printers %q", p.Name)
		}
		names[name] = true
	}

	if s.Printer != "" {
		if _, err := s.Printers.Find(s.Printer); err != nil {
			return "printer", err
		}
	}

	for _, a := range s.Automatic {
		if err := a.check(); err != nil {
			return a.SKU, err
		}
	}

	if s.LinkDomain != "" {
		u, err := url.Parse(s.LinkDomain)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" ||
			u.Fragment != "" {
			return "link_domain", fmt.Errorf("link_domain = %q is not an address like %s", s.LinkDomain,
				label.DefaultDomain)
		}
	}

	if s.CompanyPrefix != "" {
		if err := s.Counter("").Check(); err != nil {
			return "company_prefix", err
		}
	}

	for _, x := range []struct {
		key string
		NumberPattern
	}{{"serials", s.Serials}, {"lots", s.Lots}} {
		if err := x.Check(); x.NumberPattern != "" && err != nil {
			return x.key, err
		}
	}

	return "", nil
}

// settingsLine returns the number of the first line with a word; 1 if no line has it.
func settingsLine(text, word string) int {
	for i, line := range strings.Split(text, "\n") {
		if word != "" && strings.Contains(strings.SplitN(line, "#", 2)[0], word) {
			return i + 1
		}
	}

	return 1
}

// Counter returns the counter of pallets with its files in dir.
func (s Settings) Counter(dir string) PalletNumbers {
	return PalletNumbers{Dir: dir, Prefix: s.CompanyPrefix, Extension: s.Extension, From: s.From, To: s.To}
}

// Choose returns the printer with a name, or without one, that for a location and a
// terminal, else the default one.
func (s Settings) Choose(name, location, terminal string) (Printer, error) {
	if name != "" {
		return s.Printers.Find(name)
	}

	p, ok := s.Printers.Choose(location, terminal)
	if s.Printer != "" && (!ok || p.Location == "" && p.Terminal == "") {
		return s.Printers.Find(s.Printer)
	}
	if !ok {
		return Printer{}, errors.New("no label printer is set up for this location; see 'bincard help labels'")
	}

	return p, nil
}

// TemplateFor returns the name of the template of a kind of label on a printer, which may
// be zero.
func (s Settings) TemplateFor(kind label.Kind, p Printer) string {
	if kind == label.KindPallet {
		return cmp.Or(p.Template, label.PalletTemplate)
	}
	return cmp.Or(p.Template, s.Template, label.DefaultTemplate)
}
