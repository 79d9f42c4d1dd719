package label

import (
	"fmt"
	"strconv"
	"strings"
)

// A Template is where the texts and barcodes of a label are.
type Template struct {
	Name          string  // "70x40"
	File          string  // for messages
	Width, Height float64 // millimeters
	Text          string  // its source
	elements      []element
}

// An Error reports what is wrong with a template or with a label in it.
type Error struct {
	File  string
	Line  int
	Field string // the field that is missing, or ""
	Err   error
}

func (e *Error) Error() string { return fmt.Sprintf("%s, line %d: %v", e.File, e.Line, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// The bounds of templates.
const (
	maxFile  = 64 << 10
	maxLines = 200
	minSide  = 10 // millimeters
	maxSide  = 500
)

// Parse parses a template. file is its name in messages. The language is described in
// 'bincard help labels'.
func Parse(name, file, text string) (*Template, error) {
	t := &Template{Name: name, File: file, Text: text}
	fail := func(line int, err error) error { return &Error{File: file, Line: line, Err: err} }
	if len(text) > maxFile {
		return nil, fail(1, fmt.Errorf("the file has more than %d bytes", maxFile))
	}

	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}

		word, rest, _ := strings.Cut(line, " ")
		var err error
		switch {
		case word == "size":
			err = t.parseSize(strings.TrimSpace(rest))
		case t.Width == 0:
			err = fmt.Errorf("the first line must be the size, like \"size 70x40\"")
		default:
			var e *element
			if e, err = t.parseElement(word, rest); err == nil {
				e.line = i + 1
				t.elements = append(t.elements, *e)
			}
		}

		if err == nil && len(t.elements) > maxLines {
			err = fmt.Errorf("there are more than %d elements", maxLines)
		}
		if err != nil {
			return nil, fail(i+1, err)
		}
	}

	if len(t.elements) == 0 {
		return nil, fail(1, fmt.Errorf("the template is empty"))
	}

	return t, nil
}

func (t *Template) parseSize(text string) error {
	if t.Width != 0 {
		return fmt.Errorf("the size is given twice")
	}

	w, h, _ := strings.Cut(text, "x")
	var err error
	if t.Width, err = strconv.ParseFloat(w, 64); err == nil {
		t.Height, err = strconv.ParseFloat(h, 64)
	}

	inside := func(side float64) bool { return side >= minSide && side <= maxSide }
	if err != nil || !inside(t.Width) || !inside(t.Height) {
		t.Width = 0
		return fmt.Errorf("the size %q is not a width and a height from %d to %d mm, like 70x40", text, minSide,
			maxSide)
	}

	return nil
}
