package gen

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
)

// answersFile has a real ledger's response to the example of each operation.
//
//go:embed answers.json
var answersFile string

var answers = sync.OnceValue(func() Object {
	v, err := parse(jsontext.NewDecoder(strings.NewReader(answersFile)))
	if err != nil {
		panic(err) // the file is embedded, so tests catch any error
	}
	o, _ := v.(Object)
	return o
})

// Answer returns the response to the request of Example, or nil if there is none.
func Answer(spec *api.Spec) Object { return answers().At(spec.ID) }

// parse reads a JSON value, with members in order. All numbers are integers.
func parse(d *jsontext.Decoder) (any, error) {
	t, err := d.ReadToken()
	if err != nil {
		return nil, err
	}

	switch t.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return t.Bool(), nil
	case '"':
		return t.String(), nil
	case '0':
		return t.Int()
	case '[':
		list := []any{}
		for d.PeekKind() != ']' {
			v, err := parse(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}

		_, err = d.ReadToken()

		return list, err

	case '{':
		o := Object{}
		for d.PeekKind() != '}' {
			name, err := parse(d)
			if err != nil {
				return nil, err
			}

			v, err := parse(d)
			if err != nil {
				return nil, err
			}

			o = append(o, Member{fmt.Sprint(name), v}) // set would omit null and empty lists
		}

		_, err = d.ReadToken()

		return o, err
	}

	return nil, fmt.Errorf("unexpected token %v", t)
}
