package openapi

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
)

// MarshalJSONTo writes the members in their order.
func (o Object) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, m := range o {
		if err := enc.WriteToken(jsontext.String(m.Name)); err != nil {
			return err
		}
		if err := json.MarshalEncode(enc, m.Value); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

// yamlNode returns a value as YAML, with members in their order and lists of
// scalars on one line.
func yamlNode(v any) (*yaml.Node, error) {
	n := &yaml.Node{}
	switch v := v.(type) {
	case Object:
		n.Kind = yaml.MappingNode
		for _, m := range v {
			if err := appendNodes(n, m.Name, m.Value); err != nil {
				return nil, err
			}
		}
		return n, nil
	case []any:
		n.Kind = yaml.SequenceNode
		if !slices.ContainsFunc(v, isNested) {
			n.Style = yaml.FlowStyle
		}
		return n, appendNodes(n, v...)
	}
	return n, n.Encode(v)
}

func appendNodes(to *yaml.Node, values ...any) error {
	for _, v := range values {
		n, err := yamlNode(v)
		if err != nil {
			return err
		}
		to.Content = append(to.Content, n)
	}
	return nil
}

func isNested(v any) bool {
	switch v.(type) {
	case Object, []any:
		return true
	}
	return false
}
