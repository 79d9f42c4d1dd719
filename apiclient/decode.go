package apiclient

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
)

// lenient decodes what other implementations of the interface may send: whole
// numbers as 5.0, null for absent members, unknown members.
var lenient = json.JoinOptions(
	jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
	json.WithUnmarshalers(json.JoinUnmarshalers(json.UnmarshalFromFunc(wholeNumber), json.UnmarshalFromFunc(metadata))))

func wholeNumber(d *jsontext.Decoder, n *int64) error {
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	if raw.Kind() == 'n' {
		*n = 0
		return nil
	}
	if raw.Kind() != '0' {
		return fmt.Errorf("%s is not a number", raw)
	}
	if *n, err = strconv.ParseInt(string(raw), 10, 64); err == nil {
		return nil
	}

	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > api.MaxQuantity {
		return fmt.Errorf("%s is not a whole number", raw)
	}

	*n = int64(f)

	return nil
}

func metadata(d *jsontext.Decoder, m *jsontext.Value) error {
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}

	*m = nil
	if raw.Kind() != 'n' {
		*m = raw.Clone()
	}

	return nil
}

var requiredMembers sync.Map // reflect.Type → []string

// checkMembers checks that body is an object with the required members of t.
func checkMembers(body []byte, t reflect.Type) error {
	d := jsontext.NewDecoder(bytes.NewReader(body), lenient)
	if d.PeekKind() != '{' {
		return fmt.Errorf("not an object")
	}

	_, _ = d.ReadToken()
	seen := map[string]bool{}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		seen[name.String()] = true
		if err := d.SkipValue(); err != nil {
			return err
		}
	}

	for _, name := range requiredOf(t) {
		if !seen[name] {
			return fmt.Errorf("missing member %s", name)
		}
	}

	return nil
}

// requiredOf returns the members of t that are never absent.
func requiredOf(t reflect.Type) []string {
	if names, ok := requiredMembers.Load(t); ok {
		return names.([]string)
	}

	var names []string
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "-" || strings.Contains(options, "omit") || f.Type.Kind() == reflect.Pointer {
			continue
		}
		names = append(names, name)
	}

	requiredMembers.Store(t, names)

	return names
}
