package label

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An element is a line of a template.
type element struct {
	line    int
	kind    string             // text, barcode, box, line
	numbers map[string]float64 // x, y, w, h, thickness in millimeters
	bold    bool
	lines   int
	words   map[string]string // align, fit
	symbols []Symbology       // of a barcode; the first one that fits
	content []piece           // of a text, or of a barcode with a text
	code    string            // of a barcode: label.FieldCode, label.FieldContents or ""
	may     bool              // the code may be missing
}

// A piece is a text or a field of a content.
type piece struct {
	text, field string
	may         bool // the element is left out if the field is empty
}

// attributes are the attributes that the kinds of elements have, the required ones first.
var attributes = map[string]struct {
	required int
	names    []string
}{
	"text":    {4, []string{"x", "y", "w", "h", "lines", "align", "fit", "bold"}},
	"barcode": {4, []string{"x", "y", "w", "h", "symbol"}},
	"box":     {4, []string{"x", "y", "w", "h", "thickness"}},
	"line":    {2, []string{"x", "y", "w", "h", "thickness"}},
}

func (t *Template) parseElement(kind, rest string) (*element, error) {
	known, ok := attributes[kind]
	if !ok {
		return nil, fmt.Errorf("unknown element %q: use size, text, barcode, box or line", kind)
	}

	e := &element{
		kind:    kind,
		numbers: map[string]float64{},
		lines:   1,
		words:   map[string]string{},
		symbols: []Symbology{DataMatrix},
	}

	head, content, hasContent := strings.Cut(rest, ":")
	for _, word := range strings.Fields(head) {
		name, value, _ := strings.Cut(word, "=")
		if !slices.Contains(known.names, name) {
			return nil, fmt.Errorf("unknown attribute %q of %s: use %s", name, kind, strings.Join(known.names, ", "))
		}
		if err := e.set(name, value); err != nil {
			return nil, err
		}
	}

	for _, name := range known.names[:known.required] {
		if _, ok := e.numbers[name]; !ok {
			return nil, fmt.Errorf("%s needs %s", kind, name)
		}
	}

	needsContent := kind == "text" || kind == "barcode"
	switch content = strings.TrimSpace(content); {
	case needsContent && content == "":
		return nil, fmt.Errorf("%s needs a content after a colon", kind)
	case !needsContent && hasContent:
		return nil, fmt.Errorf("%s has no content", kind)
	case kind == "line" && (e.numbers["w"] == 0) == (e.numbers["h"] == 0):
		return nil, fmt.Errorf("line needs either w or h")
	}

	if err := e.checkInside(t); err != nil {
		return nil, err
	}

	return e, e.parseContent(content)
}

// choices are the values of attributes that are words.
var choices = map[string][]string{
	"align":  {"left", "center", "right"},
	"fit":    {"shorten", "shrink"},
	"symbol": Symbology("").Values(),
}

// set sets an attribute.
func (e *element) set(name, value string) error {
	switch name {
	case "bold":
		e.bold = true
	case "align", "fit", "symbol":
		words := []string{value}
		if name == "symbol" {
			words, e.symbols = strings.Split(value, ","), nil
		}

		for _, word := range words {
			if !slices.Contains(choices[name], word) {
				return fmt.Errorf("%s=%s is not one of %s", name, word, strings.Join(choices[name], ", "))
			}
			e.words[name] = word
			e.symbols = append(e.symbols, Symbology(word))
		}

	case "lines":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > 50 {
			return fmt.Errorf("lines=%s is not a number from 1 to 50", value)
		}
		e.lines = n

	default:
		n, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(n) || n < 0 || n > maxSide {
			return fmt.Errorf("%s=%s is not a number of millimeters", name, value)
		}
		e.numbers[name] = n
	}

	return nil
}

// checkInside returns an error if the element ends outside the label.
func (e *element) checkInside(t *Template) error {
	height := e.numbers["h"] * float64(e.lines)
	if right := e.numbers["x"] + e.numbers["w"]; right > t.Width {
		return fmt.Errorf("the %s ends at x=%g, but the label is %g mm wide", e.kind, right, t.Width)
	}
	if bottom := e.numbers["y"] + height; bottom > t.Height {
		return fmt.Errorf("the %s ends at y=%g, but the label is %g mm high", e.kind, bottom, t.Height)
	}
	return nil
}

// parseContent parses what a text or barcode contains.
func (e *element) parseContent(text string) error {
	if e.kind == "barcode" {
		name, may := strings.CutSuffix(text, "?")
		if name == FieldCode || name == FieldContents {
			e.code, e.may = name, may
			return nil
		}
	}

	for text != "" {
		before, rest, found := strings.Cut(text, "{")
		if before != "" {
			e.content = append(e.content, piece{text: before})
		}
		if !found {
			return nil
		}

		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			return fmt.Errorf("the brace before %q is not closed", rest)
		}

		name, may := strings.CutSuffix(name, "?")
		if names := FieldNames(); !slices.Contains(names, name) {
			return fmt.Errorf("unknown field %q: use %s", name, strings.Join(names, ", "))
		}

		e.content = append(e.content, piece{field: name, may: may})
		text = after
	}

	return nil
}

// dots returns a number of an element in dots.
func (e *element) dots(name string, perMM int) int {
	return int(math.Round(e.numbers[name] * float64(perMM)))
}
