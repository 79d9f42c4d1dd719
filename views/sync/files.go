package sync

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/export"

	tea "github.com/charmbracelet/bubbletea"
)

// filedMsg is what became of a file of work.
type filedMsg struct {
	words string
	err   error
}

func (m filedMsg) told() tea.Cmd { return told(m.err, m.words) }

// worded is err as a person reads it.
func worded(err error) error { return errors.New(dock.Words(err)) }

// hand writes what is not in the service to a file: all of it, or one.
func hand(env tui.Env, site *dock.Site, key string) tea.Cmd {
	name := filepath.Join(site.Exports(), "work-"+env.Now().Format("2006-01-02-150405")+".json")
	return env.Do(func(ctx context.Context) tea.Msg {
		file, err := dock.AskNode(ctx, site, api.ExportWork, api.SyncInput{})
		if err != nil {
			return filedMsg{err: err}
		}
		if key != "" {
			file.Items = only(file.Items, key)
		}
		if len(file.Items) == 0 {
			return filedMsg{err: errors.New(nothingToHand)}
		}
		if err := write(name, &file); err != nil {
			return filedMsg{err: fmt.Errorf(notWritten, err)}
		}
		return filedMsg{words: fmt.Sprintf(doneHand, widget.Count(int64(len(file.Items))), name)}
	})
}

func only(items []api.Metadata, key string) (kept []api.Metadata) {
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

func write(name string, file *api.WorkFile) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := export.Create(name, 0o600)
	if err != nil {
		return err
	}
	defer f.Drop()
	if err := json.MarshalWrite(f, file, jsontext.WithIndent("  ")); err != nil {
		return err
	}
	return f.Keep()
}

// take asks for a file of work and takes it in; begun is called when it begins.
func take(env tui.Env, site *dock.Site, begun func()) tea.Cmd {
	return tui.Prompt(tui.Request{Text: askFile, Value: newest(site.Exports()), OnText: func(name string) tea.Cmd {
		begun()
		return env.Do(func(ctx context.Context) tea.Msg {
			in, err := workFile(name)
			if err != nil {
				return filedMsg{err: err}
			}
			out, err := TakeIn(in, func(part api.ImportWorkInput) (api.Imported, error) {
				return dock.AskNode(ctx, site, api.ImportWork, part)
			})
			return filedMsg{fmt.Sprintf(doneTake, widget.Count(out.Taken), widget.Count(out.Known)), err}
		})
	}})
}

// partOfFile is how much of a file is taken in at once, in bytes: less than a
// service takes in a request.
const partOfFile = 512 << 10

// TakeIn takes in a file that was handed over, in parts; what was taken in
// before one that fails is known when it is tried again.
func TakeIn(in *api.ImportWorkInput, take func(api.ImportWorkInput) (api.Imported, error)) (all api.Imported, err error) {
	for rest := in.Items; len(rest) > 0; {
		n, size := 0, 0
		for n < len(rest) && (n == 0 || size+len(rest[n]) <= partOfFile) {
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

// newest is the last file of work in a folder, which is likely the one.
func newest(dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "work-*.json"))
	if err != nil || len(files) == 0 {
		return dir + string(filepath.Separator)
	}
	return files[len(files)-1] // they are named by their time
}

// workFile reads a file that was handed over.
func workFile(name string) (*api.ImportWorkInput, error) {
	data, err := os.ReadFile(strings.TrimSpace(name))
	if err != nil {
		return nil, fmt.Errorf(noFile, err)
	}
	in, err := api.ImportWork.Decode(func(string) string { return "" }, nil, data)
	if err != nil {
		return nil, fmt.Errorf(noWorkFile, filepath.Base(name), dock.Words(err))
	}
	return in.(*api.ImportWorkInput), nil
}
