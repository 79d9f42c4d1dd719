package label

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"bincard/tui/scan/gs1"
)

// MaxCopies is how many copies of a label one job may print.
const MaxCopies = 999

// ZPLOptions say how a page is printed.
type ZPLOptions struct {
	Copies int // 1 if 0
	// Font is the printer's font for texts: a letter or digit, or a file like
	// "E:ANMDS.TTF". "0", the scalable font of all printers, if empty. It has few scripts
	// on many of them.
	Font string
}

var fontName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Z0-9]|[A-Z]:[A-Za-z0-9_-]{1,16}\.(TTF|TTE|FNT))$`)
})

// CheckFont returns an error if font is not the name of a printer's font.
func CheckFont(font string) error {
	if font != "" && !fontName().MatchString(font) {
		return fmt.Errorf("%q is not the font of a printer: use a letter, a digit or a file like E:ANMDS.TTF", font)
	}
	return nil
}

// ZPL returns the commands that print a page.
func ZPL(p *Page, opts ZPLOptions) ([]byte, error) {
	copies := max(1, opts.Copies)
	if copies > MaxCopies {
		return nil, fmt.Errorf("%d copies are more than %d", copies, MaxCopies)
	}
	if err := CheckFont(opts.Font); err != nil {
		return nil, err
	}
	if p.Width > 32000 || p.Height > 32000 {
		return nil, errors.New("the label is larger than ZPL allows")
	}

	var b bytes.Buffer
	// ^CI28 makes the texts UTF-8.
	fmt.Fprintf(&b, "^XA\n^CI28\n^PW%d\n^LL%d\n^LH0,0\n", p.Width, p.Height)
	if needsShaping(p) {
		b.WriteString("^PA0,1,1,1\n") // right to left, and with joined letters
	}
	for _, x := range p.Boxes {
		fmt.Fprintf(&b, "^FO%d,%d^GB%d,%d,%d^FS\n", x.X, x.Y, x.Width, x.Height, x.Thickness)
	}
	for _, t := range p.Texts {
		fmt.Fprintf(&b, "^FO%d,%d%s%s^FS\n", t.X, t.Y, zplFont(opts.Font, t.Height), zplField(t.Text))
	}
	for _, s := range p.Symbols {
		fmt.Fprintf(&b, "^FO%d,%d%s^FS\n", s.X, s.Y, zplSymbol(s))
	}

	fmt.Fprintf(&b, "^PQ%d\n^XZ\n", copies)

	return b.Bytes(), nil
}

// zplFont returns the command for a line of text. The glyphs are a tenth narrower than
// normal, because the texts were measured with a font that is narrower than those of
// some printers.
func zplFont(name string, height int) string {
	width := max(1, height*9/10)
	switch {
	case name == "":
		name = "0"
	case len(name) > 1:
		return fmt.Sprintf("^A@N,%d,%d,%s", height, width, name)
	}

	return fmt.Sprintf("^A%sN,%d,%d", name, height, width)
}

// zplSymbol returns the commands of a barcode.
func zplSymbol(s Symbol) string {
	switch s.Symbology {
	case Code128:
		return fmt.Sprintf("^BY%d^BCN,%d,N,N,N,N%s", s.Module, s.Height, zplField(zplCode128(s.Data, s.GS1)))
	case DataMatrix:
		data := strings.ReplaceAll(s.Data, "_", "__")
		if s.GS1 {
			data = "_1" + strings.ReplaceAll(data, gs1.GS, "_1")
		}
		return fmt.Sprintf("^BXN,%d,200,,,,_%s", s.Module, zplField(data))

	default: // M is the error correction that layout chose; A finds the best mode
		return fmt.Sprintf("^BQN,2,%d%s", s.Module, zplField("MA,"+s.Data))
	}
}

// zplField returns a field of data. It escapes what printers would read as a command, so
// that no text can contain one, and all control characters.
func zplField(data string) string {
	var b strings.Builder
	b.WriteString(`^FH\^FD`)
	for i := range len(data) {
		switch x := data[i]; {
		case x == '^' || x == '~' || x == '\\' || x < ' ' || x == 0x7f:
			fmt.Fprintf(&b, `\%02X`, x)
		default:
			b.WriteByte(x)
		}
	}

	return b.String()
}

// needsShaping reports whether a text is in a script that is written from right to left,
// or whose letters join.
func needsShaping(p *Page) bool {
	for _, t := range p.Texts {
		for _, r := range t.Text {
			if unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Devanagari,
				unicode.Bengali, unicode.Tamil, unicode.Thai) {
				return true
			}
		}
	}

	return false
}
