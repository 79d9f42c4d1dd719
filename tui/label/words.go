package label

import (
	"bincard/tui/i18n"
)

// Words returns the text of a label line by line: its kind and subject, its fields, and the
// contents of its barcodes. It is a preview for a terminal.
func (l Label) Words(t *i18n.Translator, codes Codes) (lines []string) {
	fields := l.Fields(codes)
	subject := fields[FieldTitle]
	if name := fields[FieldName]; name != "" && name != subject {
		subject += "  " + name
	}

	lines = append(lines, l.Kind.Title(t)+": "+subject)
	add := func(word, value string) {
		if value != "" {
			lines = append(lines, word+" "+value)
		}
	}
	if l.Kind == KindPallet && l.SKU != "" {
		add(t.Get("Product"), l.SKU)
	}
	if l.Kind == KindDocument {
		add(t.Get("Document"), l.Document)
	}

	if l.Kind != KindLocation && l.Kind != KindDocument {
		add(t.Get("Lot"), l.Lot)
		if !l.Expires.IsZero() {
			add(t.Get("Expires"), t.Date(l.Expires))
		}

		add(t.Get("Serial number"), l.Serial)
		if l.Kind == KindCase && l.PerUnit > 0 {
			add(t.Get("Holds"), t.Count(l.PerUnit))
		} else if l.Quantity > 0 {
			add(t.Get("Quantity"), t.Count(l.Quantity))
		}
	}

	add(t.Get("Barcode"), codes.Main.String())
	add(t.Get("Second barcode"), codes.Contents.String())
	if codes.Main.NeedsPrefix() {
		lines = append(lines, ShortText(t, codes.Main))
	}

	return lines
}

// ShortText says what a scanner needs to read a content that needs a prefix.
func ShortText(t *i18n.Translator, c Content) string {
	return t.Get("%s is short: set the scanner to send the AIM prefix (]…), or it is not read.", c.Plain)
}
