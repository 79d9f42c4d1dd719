package openapi

import (
	_ "embed"
	"sync"

	"github.com/go-json-experiment/json"
)

// wordsFile is generated from the comments of package api by go test -update.
//
//go:embed words.json
var wordsFile []byte

// words are the comments of types, of their fields (Type.Field), of
// operations (by their ID), and all codes of errors (code.CODE).
var words = sync.OnceValue(func() (list map[string]string) {
	if err := json.Unmarshal(wordsFile, &list); err != nil {
		panic(err) // the file is embedded, so tests catch any error
	}
	return list
})
