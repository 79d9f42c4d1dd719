package store

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Codec turns the rows of a table into bytes and back. Equal rows have
// equal bytes.
type Codec[T any] interface {
	// Append appends the bytes of v to dst.
	Append(dst []byte, v *T) ([]byte, error)

	// Decode fills v, which is zero. It must not keep data.
	Decode(data []byte, v *T) error
}

// Unknown keeps the members of a JSON object that a newer version added, so that
// they survive when this version rewrites it. A struct that is stored as JSON and
// rewritten embeds it. It keeps members of that object alone, not of objects
// within: a new field of a part belongs at the top, under the part's id.
type Unknown struct {
	Members jsontext.Value `json:",embed"`
}

// JSON is the codec of documents. Hot rows have compact codecs of their own.
func JSON[T any]() Codec[T] { return jsonCodec[T]{} }

type jsonCodec[T any] struct{}

func (jsonCodec[T]) Append(dst []byte, v *T) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	err := json.MarshalWrite(b, v, json.Deterministic(true))
	return b.Bytes(), err
}

func (jsonCodec[T]) Decode(data []byte, v *T) error { return json.Unmarshal(data, v) }
