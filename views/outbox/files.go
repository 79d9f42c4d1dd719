package outbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/export"
	"bincard/views/session"
	"bincard/views/submit"
)

// fileMsg is the result of an export or import.
type fileMsg struct {
	text string
	err  error
}

func (m fileMsg) notify(t *i18n.Translator) tea.Cmd { return notify(t, m.err, m.text) }

// exportWork exports the unsynced work to a file, or only the operation with key if it
// is not empty.
func exportWork(env tui.Env, site *session.Site, key string) tea.Cmd {
	t := env.T

	name := filepath.Join(site.Exports(), "work-"+env.Now().Format("2006-01-02-150405")+".json")

	return env.Do(func(ctx context.Context) tea.Msg {
		file, err := session.CallNode(ctx, site, api.ExportWork, api.SyncInput{})
		if err != nil {
			return fileMsg{err: err}
		}
		if key != "" {
			file.Items = filterByKey(file.Items, key)
		}
		if len(file.Items) == 0 {
			return fileMsg{err: t.NewError("Everything is synced. There is nothing to export.")}
		}
		if err := writeFile(t, name, &file); err != nil {
			return fileMsg{err: t.NewError("Cannot write the file: %v. The entries are still here.", err)}
		}

		return fileMsg{text: t.Get("Exported %s to %s", t.Count(int64(len(file.Items))), name)}
	})
}

func filterByKey(items []api.Metadata, key string) (matching []api.Metadata) {
	for _, item := range items {
		var x struct {
			Key string `json:"key"`
		}
		if json.Unmarshal(item, &x) == nil && x.Key == key {
			matching = append(matching, item)
		}
	}

	return matching
}

func writeFile(t *i18n.Translator, name string, file *api.WorkFile) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}

	f, err := export.Create(t, name, 0o600)
	if err != nil {
		return err
	}

	defer f.Discard()
	if err := json.MarshalWrite(f, file, jsontext.WithIndent("  ")); err != nil {
		return err
	}

	return f.Commit()
}

// importWork asks for a file of exported work, reads it and imports it. A supervisor
// approves the file. begun is called when the import starts.
func importWork(env tui.Env, site *session.Site, begun func()) tea.Cmd {
	t := env.T

	run := func(in *api.ImportWorkInput) tea.Cmd {
		begun()
		by := api.ApprovedBy(env.ApprovedBy())
		return env.Do(func(ctx context.Context) tea.Msg {
			out, err := ImportFile(in, func(part api.ImportWorkInput) (api.Imported, error) {
				return session.CallNode(ctx, site, api.ImportWork, part, by)
			})
			return fileMsg{t.Get("Imported %s, %s already here", t.Count(out.Taken), t.Count(out.Known)), err}
		})
	}

	return tui.Prompt(
		tui.Request{
			Text:  t.Get("File to import"),
			Value: newestFile(site.Exports()),
			OnText: func(name string) tea.Cmd {
				return env.Do(func(context.Context) tea.Msg {
					in, err := readWorkFile(t, name)
					if err != nil {
						return fileMsg{err: err}
					}

					return tui.Perform(
						tui.Action{
							ID:         "sync.importfile",
							Label:      t.Get("import"),
							Supervisor: true,
							Approve: func() string {
								return t.Get(
									"import entries (%s) from %s",
									t.Count(int64(len(in.Items))),
									filepath.Base(strings.TrimSpace(name)),
								)
							},
							Run: func() tea.Cmd { return run(in) },
						},
					)()
				})
			},
		},
	)
}

// importChunk limits the bytes of a file that are imported at once. It is less than
// the limit of a request.
const importChunk = 512 << 10

// ImportFile imports a file in parts. It can be repeated after an error: work that was
// already imported counts as known.
func ImportFile(
	in *api.ImportWorkInput,
	importPart func(api.ImportWorkInput) (api.Imported, error),
) (all api.Imported, err error) {
	for rest := in.Items; len(rest) > 0; {
		n, size := 0, 0
		for n < len(rest) && (n == 0 || size+len(rest[n]) <= importChunk) {
			size += len(rest[n])
			n++
		}

		part := *in
		part.Items = rest[:n]
		got, err := importPart(part)
		if err != nil {
			return all, err
		}

		all.Taken, all.Known = all.Taken+got.Taken, all.Known+got.Known
		rest = rest[n:]
	}

	return all, nil
}

// newestFile returns the newest exported file in dir, or dir itself if there is none.
func newestFile(dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "work-*.json"))
	if err != nil || len(files) == 0 {
		return dir + string(filepath.Separator)
	}
	return files[len(files)-1] // named by time
}

// readWorkFile reads a file of exported work.
func readWorkFile(t *i18n.Translator, name string) (*api.ImportWorkInput, error) {
	data, err := os.ReadFile(strings.TrimSpace(name))
	if err != nil {
		name = strings.TrimSpace(name)
		if info, folderErr := os.Stat(filepath.Dir(name)); errors.Is(err, fs.ErrNotExist) ||
			folderErr == nil && !info.IsDir() {
			return nil, t.NewError("%s does not exist. Check the path.", name)
		}
		return nil, t.NewError("Cannot read the file: %v", err)
	}

	in, err := api.ImportWork.Decode(func(string) string { return "" }, nil, data)
	if err != nil {
		return nil, t.NewError(
			"%s is not a file of exported entries: %s",
			filepath.Base(name),
			submit.UserMessage(t, err),
		)
	}

	return in.(*api.ImportWorkInput), nil
}
