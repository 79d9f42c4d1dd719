package openapi_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"bincard/server/httpapi/openapi"
)

// TestYAML_IsUpToDate compares openapi.yaml, which the service serves, with the document.
// The file also shows reviewers changes to the interface.
func TestYAML_IsUpToDate(t *testing.T) {
	t.Parallel()
	var want bytes.Buffer
	enc := yaml.NewEncoder(&want)
	enc.SetIndent(2)
	node, err := yamlNode(openapi.Document())
	require.NoError(t, err)
	require.NoError(t, enc.Encode(node))
	require.NoError(t, enc.Close())
	if *update {
		require.NoError(t, os.WriteFile("openapi.yaml", want.Bytes(), 0o644))
		return
	}
	require.Equal(t, want.String(), string(openapi.YAML), "go test ./server/httpapi/openapi -update updates it")
}

// yamlNode returns a value as YAML, with members in their order and lists of
// scalars on one line.
func yamlNode(v any) (*yaml.Node, error) {
	n := &yaml.Node{}
	switch v := v.(type) {
	case openapi.Object:
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
	case string: // Encode takes a hundred times as long
		n.SetString(v)
		return n, nil
	case bool, int, int64:
		n.Kind, n.Value = yaml.ScalarNode, fmt.Sprint(v)
		return n, nil
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
	case openapi.Object, []any:
		return true
	}
	return false
}
