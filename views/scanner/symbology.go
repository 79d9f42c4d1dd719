package scanner

import (
	"bincard/tui/i18n"
	"strings"
)

// symbologies are the barcode types by AIM prefix.
var symbologies = map[string]string{
	"]C0": "Code 128",
	"]C1": "GS1-128",
	"]E0": i18n.Text("EAN-13 or UPC"),
	"]E3": i18n.Text("EAN-13 with add-on"),
	"]E4": "EAN-8",
	"]e0": "GS1 DataBar",
	"]e1": "GS1 Composite",
	"]e2": "GS1 Composite",
	"]d1": "Data Matrix",
	"]d2": "GS1 DataMatrix",
	"]Q0": i18n.Text("QR code"),
	"]Q1": i18n.Text("QR code"),
	"]Q3": i18n.Text("GS1 QR code"),
	"]J0": "DotCode",
	"]J1": "GS1 DotCode",
	"]I0": i18n.Text("Interleaved 2 of 5"),
	"]I1": i18n.Text("Interleaved 2 of 5 with check digit"),
}

// symbologyFamilies are the barcode types by AIM letter.
var symbologyFamilies = map[string]string{
	"]A": "Code 39", "]C": "Code 128", "]F": "Codabar", "]G": "Code 93", "]L": "PDF417", "]M": "MSI",
	"]d": "Data Matrix", "]Q": i18n.Text("QR code"), "]z": "Aztec", "]S": i18n.Text("2 of 5"), "]X": i18n.Text("other"),
}

// symbology returns the prefix with the barcode type: "]C1  GS1-128".
func symbology(t *i18n.Translator, prefix string) string {
	if prefix == "" {
		return t.Get("not sent")
	}
	if name, ok := symbologies[prefix]; ok {
		return prefix + "  " + t.Get(name)
	}
	if name, ok := symbologyFamilies[prefix[:2]]; ok {
		return prefix + "  " + t.Get(name)
	}

	return prefix
}

// usesSeparator reports whether codes with the prefix separate elements by GS.
func usesSeparator(prefix string) bool {
	switch prefix {
	case "]C1", "]e0", "]e1", "]e2", "]d2", "]Q3", "]J1":
		return true
	}
	return false
}

// showControls replaces control characters by their pictures: GS is ␝.
func showControls(raw string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20:
			return 0x2400 + r
		case r == 0x7f:
			return '␡'
		}

		return r
	}, raw)
}

// hexBytes formats a code as hexadecimal bytes.
func hexBytes(raw string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(raw) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte(digits[raw[i]>>4])
		b.WriteByte(digits[raw[i]&15])
	}

	return b.String()
}
