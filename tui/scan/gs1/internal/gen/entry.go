package main

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// entry is one line of the dictionary.
type entry struct {
	first, last           string
	predefined, attribute bool
	parts                 []part
	key                   bool
	qualifiers            [][]string
	title                 string
}

type part struct {
	set      string
	min, max int
	optional bool
	rules    []string
}

var (
	identifiers = regexp.MustCompile(`^(\d{2,4})(?:-(\d{2,4}))?$`)
	component   = regexp.MustCompile(`^(\[?)([NXYZ])(\.\.)?(\d+)(\]?)((?:,[a-z0-9]+)*)$`)
	attribute   = regexp.MustCompile(`^(req|ex|dlpkey)(?:=(.*))?$`)
	flags       = regexp.MustCompile(`^[*?]+$`)
)

// parseLine parses a line; ok is false for comments and empty lines.
func parseLine(line string) (e entry, ok bool, err error) {
	body, title, _ := strings.Cut(line, "#")
	fields := strings.Fields(body)
	if len(fields) == 0 {
		return entry{}, false, nil
	}

	e.title = strings.TrimSpace(title)
	ids := identifiers.FindStringSubmatch(fields[0])
	if ids == nil {
		return e, false, fmt.Errorf("%q is not an identifier", fields[0])
	}

	e.first, e.last = ids[1], ids[2]
	if e.last == "" {
		e.last = e.first
	}
	for i, f := range fields[1:] {
		if err := e.take(f, i == 0); err != nil {
			return e, false, err
		}
	}

	return e, true, nil
}

// take parses one field after the identifiers. Flags can only be first.
func (e *entry) take(field string, first bool) error {
	if first && flags.MatchString(field) {
		e.predefined = strings.Contains(field, "*")
		e.attribute = strings.Contains(field, "?")
		return nil
	}

	if m := component.FindStringSubmatch(field); m != nil {
		return e.takePart(m)
	}

	m := attribute.FindStringSubmatch(field)
	if m == nil {
		return fmt.Errorf("%q is neither flag, component nor attribute", field)
	}
	if m[1] != "dlpkey" {
		return nil
	}

	e.key = true
	if m[2] != "" {
		for _, sequence := range strings.Split(m[2], "|") {
			e.qualifiers = append(e.qualifiers, strings.Split(sequence, ","))
		}
	}

	return nil
}

func (e *entry) takePart(m []string) error {
	if (m[1] == "[") != (m[5] == "]") {
		return fmt.Errorf("brackets of %q do not match", m[0])
	}

	length, err := strconv.Atoi(m[4])
	if err != nil {
		return err
	}

	p := part{set: m[2], min: length, max: length, optional: m[1] == "["}
	if m[3] != "" {
		p.min = 1
	}
	if m[6] != "" {
		p.rules = strings.Split(m[6][1:], ",")
	}

	e.parts = append(e.parts, p)

	return nil
}

func (e entry) write(w io.Writer) {
	fmt.Fprintf(w, "\t{First: %q, Last: %q, Title: %q", e.first, e.last, e.title)
	if e.predefined {
		fmt.Fprint(w, ", Predefined: true")
	}
	if e.attribute {
		fmt.Fprint(w, ", Attribute: true")
	}
	if e.key {
		fmt.Fprint(w, ", Key: true")
	}
	if e.qualifiers != nil {
		fmt.Fprintf(w, ", Qualifiers: %#v", e.qualifiers)
	}

	fmt.Fprint(w, ", Parts: []Part{")
	for i, p := range e.parts {
		if i > 0 {
			fmt.Fprint(w, ", ")
		}
		p.write(w)
	}

	fmt.Fprint(w, "}},\n")
}

func (p part) write(w io.Writer) {
	fmt.Fprintf(w, "{Set: Set%s, Min: %d, Max: %d", p.set, p.min, p.max)
	if p.optional {
		fmt.Fprint(w, ", Optional: true")
	}

	if len(p.rules) > 0 {
		fmt.Fprint(w, ", rules: []rule{")
		for i, name := range p.rules {
			if i > 0 {
				fmt.Fprint(w, ", ")
			}
			fmt.Fprint(w, "check"+strings.ToUpper(name[:1])+name[1:])
		}

		fmt.Fprint(w, "}")
	}

	fmt.Fprint(w, "}")
}
