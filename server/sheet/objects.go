package sheet

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
)

// readObjects reads JSON lines: one object per line, whose members are the cells. The
// columns are the members of all objects, in the order in which they appear.
func (t *Table) readObjects() error {
	in := bufio.NewReaderSize(io.NewSectionReader(t.text, 0, t.text.Size()), maxRow)
	for at := (position{line: 1}); ; at.line++ {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return errLongRow
		}
		if err != nil && err != io.EOF {
			return err
		}

		if len(bytes.TrimSpace(line)) > 0 {
			if t.full() {
				return errManyRows
			}

			_, problem := t.readObject(line)
			if len(t.Columns) > maxColumns {
				return errManyColumns
			}

			if problem != nil {
				problem.Line = int(at.line)
				t.addProblem(*problem)
			} else {
				t.rows = append(t.rows, at)
			}
		}

		if err == io.EOF {
			return nil
		}

		at.offset += uint32(len(line))
	}
}

// readObject returns the cells of one object. It adds new columns.
func (t *Table) readObject(line []byte) (row []string, problem *Problem) {
	d := jsontext.NewDecoder(bytes.NewReader(line))
	invalid := func(err error) *Problem {
		return &Problem{
			Message: api.Textf("it is not a JSON object: %s", strings.TrimPrefix(err.Error(), "jsontext: ")),
		}
	}
	if d.PeekKind() != '{' {
		return nil, &Problem{Message: api.Text("it is not a JSON object; write one object per line")}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, invalid(err)
	}

	row = make([]string, len(t.Columns))
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return nil, invalid(err)
		}

		name := token.String()
		value, err := d.ReadValue()
		if err != nil {
			return nil, invalid(err)
		}

		text, err := cellText(value)
		if err != nil {
			return nil, &Problem{Column: name, Message: err.Error()}
		}

		at, known := t.objects[Fold(name)]
		if !known {
			at = len(t.Columns)
			t.objects[Fold(name)] = at
			t.Columns, row = append(t.Columns, name), append(row, "")
		}

		if row[at] != "" {
			return nil, &Problem{Column: name, Message: api.Text("appears twice")}
		}

		row[at] = text
	}

	if _, err := d.ReadToken(); err != nil {
		return nil, invalid(err)
	}
	if len(bytes.TrimSpace(line[d.InputOffset():])) > 0 {
		return nil, &Problem{Message: api.Text("it has more than one JSON object; write one object per line")}
	}

	return row, nil
}

// cellText returns a JSON value as the text of a cell. The texts of an array are separated
// by |.
func cellText(value jsontext.Value) (string, error) {
	switch value.Kind() {
	case 'n':
		return "", nil
	case '"':
		text, err := jsontext.AppendUnquote(nil, value)
		return strings.TrimFunc(string(text), unicode.IsSpace), err
	case '0':
		whole, fraction, _ := strings.Cut(string(value), ".")
		if strings.Trim(fraction, "0") == "" {
			return whole, nil
		}
		return string(value), nil

	case '[':
		return arrayText(value)
	case '{':
		return "", newError("must be a text or a number, is an object")
	}

	return string(value), nil
}

func arrayText(value jsontext.Value) (string, error) {
	d := jsontext.NewDecoder(bytes.NewReader(value))
	_, _ = d.ReadToken()
	var texts []string
	for d.PeekKind() != ']' {
		item, err := d.ReadValue()
		if err != nil {
			return "", err
		}
		if kind := item.Kind(); kind != '"' && kind != '0' {
			return "", newError("must be an array of texts, has %s", clip(string(item)))
		}

		text, err := cellText(item)
		switch {
		case err != nil:
			return "", err
		case strings.Contains(text, "|"):
			return "", newError("must not contain |, which separates several values, has %s", clip(text))
		}

		texts = append(texts, text)
	}

	return strings.Join(texts, "|"), nil
}
