package store

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Codec encodes and decodes the rows of a table. Equal rows have equal encodings.
type Codec[T any] interface {
	// Append appends the encoding of v to dst.
	Append(dst []byte, v *T) ([]byte, error)

	// Decode decodes data into v, which is zero. It must not retain data.
	Decode(data []byte, v *T) error
}

// Unknown preserves the members of a JSON object that a newer version added when this
// version rewrites it. Embed it in structs that are stored as JSON and rewritten. It does
// not cover nested objects, so add a new field of a nested part at the top level, under
// the part's id.
type Unknown struct {
	Members jsontext.Value `json:",embed"`
}

// JSON returns the codec of documents. Frequent rows have compact codecs of their own.
func JSON[T any]() Codec[T] { return jsonCodec[T]{} }

type jsonCodec[T any] struct{}

func (jsonCodec[T]) Append(dst []byte, v *T) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	err := json.MarshalWrite(b, v, json.Deterministic(true))
	return b.Bytes(), err
}

func (jsonCodec[T]) Decode(data []byte, v *T) error { return json.Unmarshal(data, v) }
