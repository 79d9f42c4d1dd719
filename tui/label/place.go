package label

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"bincard/tui/i18n"
	"bincard/tui/widget"
)

// Options say how a label is drawn.
type Options struct {
	DPI    int       // DefaultDPI if 0
	Symbol Symbology // of all barcodes; as in the template if ""
	Domain string    // before the path of Digital Links; label.DefaultDomain if ""
	// Language is that of the words of built-in templates; English if nil. Those of a
	// company's template stay as they are.
	Language *i18n.Translator
}

// printedWords are the words of the built-in templates.
var printedWords = i18n.TableOf("label", map[string]string{
	"Lot": "Lot",
	"S/N": "S/N",
	"Exp": "Exp",
	"Qty": "Qty",
	"Ref": "Ref",
	"of":  "of",
})

// Place returns the page of a label. An error is an *Error, which names the line of the
// template and the field that is missing.
func (t *Template) Place(l Label, codes Codes, opts Options) (*Page, error) {
	dpi := cmp.Or(opts.DPI, DefaultDPI)
	perMM := resolutions[dpi]
	if perMM == 0 {
		return nil, fmt.Errorf("%d dpi is not supported: use 203, 300 or 600", dpi)
	}

	if !t.IsBuiltIn() {
		opts.Language = nil
	}

	fields := l.Fields(codes)
	p := &Page{Width: int(t.Width * float64(perMM)), Height: int(t.Height * float64(perMM)), DPI: dpi}
	for i := range t.elements {
		e := &t.elements[i]
		if err := p.add(e, fields, codes, opts, perMM); err != nil {
			var out *Error
			if !errors.As(err, &out) {
				out = &Error{Err: err}
			}
			out.File, out.Line = t.File, e.line
			return nil, out
		}
	}

	return p, nil
}

// add adds an element to the page.
func (p *Page) add(e *element, fields map[string]string, codes Codes, opts Options, perMM int) error {
	switch e.kind {
	case "box", "line":
		thickness := max(1, int(cmp.Or(e.numbers["thickness"], 0.3)*float64(perMM)))
		p.Boxes = append(
			p.Boxes,
			Box{
				e.dots("x", perMM),
				e.dots("y", perMM),
				max(e.dots("w", perMM), thickness),
				max(e.dots("h", perMM), thickness),
				thickness,
			},
		)

		return nil

	case "text":
		text, err := e.text(fields, opts.Language)
		if err != nil || text == "" {
			return err
		}
		lines, err := e.placeText(text, perMM)
		p.Texts = append(p.Texts, lines...)
		return err
	}

	content, err := e.barcode(fields, codes)
	if err != nil || content.IsEmpty() {
		return err
	}

	symbols := e.symbols
	if opts.Symbol != "" {
		symbols = []Symbology{opts.Symbol}
	}

	for _, symbology := range symbols {
		var symbol Symbol
		if symbol, err = encode(symbology, content, cmp.Or(opts.Domain, DefaultDomain)); err == nil {
			err = symbol.fit(e.dots("x", perMM), e.dots("y", perMM), e.dots("w", perMM), e.dots("h", perMM), perMM)
		}
		if err == nil {
			p.Symbols = append(p.Symbols, symbol)
			return nil
		}
	}

	return err
}

// missing reports an empty field that an element needs.
func missing(name string) error {
	return &Error{
		Field: name,
		Err: errors.New(
			i18n.Textf(
				"the label has no %s: write a question mark after the field in the template to leave the line out",
				name),
		),
	}
}

// text returns the text of an element; "" if it is left out.
func (e *element) text(fields map[string]string, t *i18n.Translator) (string, error) {
	var b strings.Builder
	for _, p := range e.content {
		value := fields[p.field]
		switch {
		case p.field == "":
			word := strings.TrimSpace(p.text)
			b.WriteString(strings.Replace(p.text, word, cmp.Or(printedWords.Get(t, word), word), 1))
		case value != "":
			b.WriteString(widget.Clean(value))
		case p.may:
			return "", nil
		default:
			return "", missing(p.field)
		}
	}

	return strings.TrimSpace(b.String()), nil
}

// barcode returns the content of a barcode; empty if it is left out.
func (e *element) barcode(fields map[string]string, codes Codes) (Content, error) {
	content := codes.Main
	switch e.code {
	case "":
		text, err := e.text(fields, nil)
		return Content{Plain: text}, err
	case FieldContents:
		content = codes.Contents
	}

	if content.IsEmpty() && !e.may {
		return content, missing(e.code)
	}

	return content, nil
}
