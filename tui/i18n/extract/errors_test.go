package extract_test

import (
	"os"
	"path/filepath"
	"testing"

	"bincard/tui/i18n"
	"bincard/tui/i18n/extract"

	"github.com/stretchr/testify/require"
)

func TestMessages_FindsTextsOfErrors(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(name, source string) {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(source), 0o600))
	}
	for _, folder := range []string{"server/ledger", "server/account", "server/httpapi", "server/intake", "server/sheet", "apiclient", "server/store", "tui", "views/session", "cmd/bincard"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, folder), 0o700))
	}
	write("server/api/api.go", `package api
const Open InboundStatus = "open"
const Name = "not a message"
var list = operation(Spec{ID: "list", Summary: "List lots"})
func Fail(code Code, details Details, format string, args ...any) *Error { return nil }
func check(p *Problems) { p.Add("path", "rule", "is " + "required") }
`)
	write("offline/node.go", `package offline
func fail(n int, format string, args ...any) error { return api.Fail(api.Unavailable, nil, "Node: %v", api.Textf(format, args...)) }
func advice(none, some string) string { if none == "" { return api.Text(some) }; return api.Text(none) }
func Missing(kind string) error { return fail(1, "%s", kind, advice("Retry.", "Wait.")) }
func f() error { return other(1, "no message") }
func g() error { return fail(1, "%d of %d", 1, 2) }
`)
	write("tui/scan/scan.go", `package scan
func f() string { list.Add(1, 2, "no message"); return i18n.Textf("%q is empty", "") }
`)
	messages, err := extract.Messages(root)
	require.NoError(t, err)
	var texts []string
	for _, m := range messages {
		require.Equal(t, i18n.ErrorContext, m.Context)
		texts = append(texts, m.Text)
	}
	require.Equal(t, []string{"%d of %d", "%q is empty", "List lots", "Node: %v", "Retry.", "Wait.", "is required", "open"}, texts)
}
