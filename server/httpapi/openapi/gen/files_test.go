package gen_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"bincard/server/httpapi/openapi/gen"
)

// TestFiles_AreUpToDate compares the files that the service serves with what they are made
// from. openapi.yaml also shows reviewers changes to the interface.
func TestFiles_AreUpToDate(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]byte{
		"openapi.yaml":    yamlOf(t, gen.Document()),
		"openapi.json.gz": gen.JSON(gen.Document()),
		"docs.html.gz":    gen.DocsHTML(),
		"docs_policy.txt": []byte(gen.DocsPolicy()),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := "../" + name
			if got, err := readFile(path); *update && (err != nil || !bytes.Equal(want, got)) {
				require.NoError(t, writeFile(path, want))
			}
			got, err := readFile(path)
			require.NoError(t, err)
			require.True(t, bytes.Equal(want, got), "go test ./server/httpapi/openapi/gen -update updates %s", name)
		})
	}
}

// readFile reads a file, and decompresses one whose name ends in .gz.
func readFile(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return data, err
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// writeFile writes a file, and compresses one whose name ends in .gz.
func writeFile(path string, data []byte) error {
	if strings.HasSuffix(path, ".gz") {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		data = b.Bytes()
	}
	return os.WriteFile(path, data, 0o644)
}

func yamlOf(t *testing.T, doc gen.Object) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	node, err := yamlNode(doc)
	require.NoError(t, err)
	require.NoError(t, enc.Encode(node))
	require.NoError(t, enc.Close())
	return b.Bytes()
}

// yamlNode returns a value as YAML, with members in their order and lists of
// scalars on one line.
func yamlNode(v any) (*yaml.Node, error) {
	n := &yaml.Node{}
	switch v := v.(type) {
	case gen.Object:
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
	case gen.Object, []any:
		return true
	}
	return false
}
