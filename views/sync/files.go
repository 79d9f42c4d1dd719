package sync

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/dock"
	"bincard/views/export"

	tea "github.com/charmbracelet/bubbletea"
)

// fileMsg is what became of a file of work.
type fileMsg struct {
	text string
	err  error
}

func (m fileMsg) notify(t *i18n.Translator) tea.Cmd { return notify(t, m.err, m.text) }

// userError is err as a person reads it.
func userError(t *i18n.Translator, err error) error { return errors.New(dock.UserMessage(t, err)) }

// exportWork writes what is not in the service to a file: all of it, or one.
func exportWork(env tui.Env, site *dock.Site, key string) tea.Cmd {
	t := env.T

	name := filepath.Join(site.Exports(), "work-"+env.Now().Format("2006-01-02-150405")+".json")
	return env.Do(func(ctx context.Context) tea.Msg {
		file, err := dock.CallNode(ctx, site, api.ExportWork, api.SyncInput{})
		if err != nil {
			return fileMsg{err: err}
		}
		if key != "" {
			file.Items = filterByKey(file.Items, key)
		}
		if len(file.Items) == 0 {
			return fileMsg{err: errors.New(t.Get("Everything is synced. There is nothing to export"))}
		}
		if err := writeFile(t, name, &file); err != nil {
			return fileMsg{err: errors.New(t.Get("Cannot write the file: %v. The work is still here.", err))}
		}
		return fileMsg{text: t.Get("Exported %s to %s", t.Count(int64(len(file.Items))), name)}
	})
}

func filterByKey(items []api.Metadata, key string) (kept []api.Metadata) {
	for _, item := range items {
		var x struct {
			Key string `json:"key"`
		}
		if json.Unmarshal(item, &x) == nil && x.Key == key {
			kept = append(kept, item)
		}
	}
	return kept
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

// importWork asks for a file of work and takes it in; begun is called when it begins.
func importWork(env tui.Env, site *dock.Site, begun func()) tea.Cmd {
	t := env.T

	return tui.Prompt(tui.Request{Text: t.Get("File to import"), Value: newestFile(site.Exports()), OnText: func(name string) tea.Cmd {
		begun()
		return env.Do(func(ctx context.Context) tea.Msg {
			in, err := readWorkFile(t, name)
			if err != nil {
				return fileMsg{err: err}
			}
			out, err := ImportFile(in, func(part api.ImportWorkInput) (api.Imported, error) {
				return dock.CallNode(ctx, site, api.ImportWork, part)
			})
			return fileMsg{t.Get("Imported %s, %s already here", t.Count(out.Taken), t.Count(out.Known)), err}
		})
	}})
}

// importChunk is how much of a file is taken in at once, in bytes: less than a
// service takes in a request.
const importChunk = 512 << 10

// ImportFile takes in a file that was handed over, in parts; what was taken in
// before one that fails is known when it is tried again.
func ImportFile(in *api.ImportWorkInput, take func(api.ImportWorkInput) (api.Imported, error)) (all api.Imported, err error) {
	for rest := in.Items; len(rest) > 0; {
		n, size := 0, 0
		for n < len(rest) && (n == 0 || size+len(rest[n]) <= importChunk) {
			size += len(rest[n])
			n++
		}
		part := *in
		part.Items = rest[:n]
		got, err := take(part)
		if err != nil {
			return all, err
		}
		all.Taken, all.Known = all.Taken+got.Taken, all.Known+got.Known
		rest = rest[n:]
	}
	return all, nil
}

// newestFile is the last file of work in a folder, which is likely the one.
func newestFile(dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "work-*.json"))
	if err != nil || len(files) == 0 {
		return dir + string(filepath.Separator)
	}
	return files[len(files)-1] // they are named by their time
}

// readWorkFile reads a file that was handed over.
func readWorkFile(t *i18n.Translator, name string) (*api.ImportWorkInput, error) {
	data, err := os.ReadFile(strings.TrimSpace(name))
	if err != nil {
		return nil, errors.New(t.Get("Cannot read the file: %v", err))
	}
	in, err := api.ImportWork.Decode(func(string) string { return "" }, nil, data)
	if err != nil {
		return nil, errors.New(t.Get("%s is not a file of exported work: %s", filepath.Base(name), dock.UserMessage(t, err)))
	}
	return in.(*api.ImportWorkInput), nil
}
