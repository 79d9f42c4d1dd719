package export_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/sheet"
	"bincard/views/export"
)

type line struct {
	Name string `json:"name"`
	N    int64  `json:"n"`
}

var columns = []export.Column[line]{
	export.Text("name", func(l *line) string { return l.Name }),
	export.Quantity("n", func(l *line) int64 { return l.N }),
}

func TestWrite_RoundTrips(t *testing.T) {
	t.Parallel()
	texts := []string{"=1+1", "-5", "+49", "@here", "plain", "a,b", "it's", "line\nline", "'=1", "''-1", "x;=1+1;", "x\t-1", "a;b",
		"x\n=1+1", "\u200b=1", "＝1+1", "\u00ad ＋1", "a - b", "'quoted'", "x;'=1", "x;y", `say "hi"`, "a\tb", " x", ""}
	rows := make([]line, len(texts))
	for i, x := range texts {
		rows[i] = line{x, int64(-i)}
	}
	for _, format := range []export.Format{export.CSV, export.Excel} {
		var out bytes.Buffer
		n, err := export.WriteSource(context.Background(), nil, &out, format, export.FromRows(columns, rows))
		require.NoError(t, err)
		require.EqualValues(t, len(rows), n)
		if format == export.CSV {
			require.Contains(t, out.String(), "'=1+1,0")
			require.Contains(t, out.String(), "'-5,-1", "a number needs no guard")
			for _, quoted := range []string{`"x;y",`, `" x",`, `"say ""hi""",`} {
				require.Contains(t, out.String(), quoted)
			}
		}
		table, err := sheet.Read(&out)
		require.NoError(t, err)
		for i, x := range texts {
			if format == export.Excel {
				x = strings.ReplaceAll(x, "\n", " ")
			}
			require.Equal(t, strings.TrimSpace(x), table.Row(i).Cells[table.Index("name")])
		}
	}
	var out bytes.Buffer
	_, err := export.WriteSource(context.Background(), nil, &out, export.JSONLines, export.FromRows(columns, rows[:2]))
	require.NoError(t, err)
	require.Equal(t, `{"name":"=1+1","n":0}`+"\n"+`{"name":"-5","n":-1}`+"\n", out.String())
}

func TestWrite_HeaderWithoutRows(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	_, err := export.WriteSource(context.Background(), nil, &out, export.CSV, export.FromRows(columns, nil))
	require.NoError(t, err)
	require.Equal(t, "name,n\n", out.String())
}

func TestMovementColumns_NameLotsAndSerials(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	rows := []api.MovementRow{{LotCode: "L119-B", SerialNumbers: []string{"SN-1", "SN-2", "SN-3"}}}
	_, err := export.WriteSource(context.Background(), nil, &out, export.CSV, export.FromRows(export.MovementColumns, rows))
	require.NoError(t, err)
	table, err := sheet.Read(&out)
	require.NoError(t, err)
	require.Equal(t, "L119-B", table.Row(0).Cells[table.Index("lotCode")])
	require.Equal(t, "SN-1 SN-2 SN-3", table.Row(0).Cells[table.Index("serialNumbers")])
}

// broken returns three pages; the second one fails until fixed is true.
func broken(fixed *bool) export.Fetch[line] {
	return func(_ context.Context, cursor string) ([]line, *string, error) {
		page, _ := strconv.Atoi(cursor)
		if page == 1 && !*fixed {
			return nil, nil, errors.New("connection lost")
		}
		next := strconv.Itoa(page + 1)
		if page == 2 {
			return []line{{"c", 3}}, nil, nil
		}
		return []line{{"a", int64(page)}, {"b", int64(page)}}, &next, nil
	}
}

func TestFileExport_ResumesAfterError(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "out.csv")
	fixed := false
	job, err := export.NewFileExport(nil, path, export.CSV, export.FromPages(columns, broken(&fixed)))
	require.NoError(t, err)
	require.ErrorContains(t, job.Run(context.Background()), "connection lost")
	require.EqualValues(t, 2, job.Rows())
	require.NoFileExists(t, path, "an incomplete file has a temporary name")
	fixed = true
	require.NoError(t, job.Run(context.Background()))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "name,n\na,0\nb,0\na,1\nb,1\nc,3\n", string(text))
	job.Discard()
	require.FileExists(t, path, "Discard keeps a committed file")
}

func TestFileExport_DiscardRemovesFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	require.NoError(t, os.WriteFile(path, []byte("before"), 0o640))
	fixed := false
	job, err := export.NewFileExport(nil, path, export.CSV, export.FromPages(columns, broken(&fixed)))
	require.NoError(t, err)
	require.Error(t, job.Run(context.Background()))
	job.Discard()
	job.Discard()
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "before", string(text))

	ended, end := context.WithCancel(context.Background())
	end()
	job, err = export.NewFileExport(nil, path, export.CSV, export.FromPages(columns, broken(&fixed)))
	require.NoError(t, err)
	require.ErrorIs(t, job.Run(ended), context.Canceled)
	job.Discard()
	_, err = export.NewFileExport(nil, dir, export.CSV, export.FromRows(columns, nil))
	require.ErrorContains(t, err, "is a directory")
}

// Text that a spreadsheet may read as a formula has an apostrophe before it, also where the
// spreadsheet separates cells at semicolons or tabs.
func TestEscapeFormula(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "plain": "plain", "a=b": "a=b", "a - b": "a - b", "a;b": "a;b",
		"=1": "'=1", " =1": "' =1", "\n=1": "'\n'=1", "\t@a": "'\t'@a", "\x00=1": "'\x00=1", "\u200b=1": "'\u200b=1", "\u00a0+1": "'\u00a0+1",
		"＝1": "'＝1", "＋1": "'＋1", "－1": "'－1", "＠a": "'＠a", "x;=1+1;": "x;'=1+1;", "x; -1": "x;' -1", "'=1": "''=1", "\xff=1": "\xff=1", "=\xff": "'=\xff",
	} {
		require.Equal(t, want, export.EscapeFormula(text), "%q", text)
	}
}

func TestWriteFile_WholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	write := func(text string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, wrote := io.WriteString(w, text)
			return errors.Join(wrote, err)
		}
	}
	holds := func(text string, perm fs.FileMode) {
		t.Helper()
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, text, string(data))
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Equal(t, perm, info.Mode().Perm())
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, e := range entries {
			require.NotContains(t, e.Name(), ".file-", "nothing is left over")
		}
	}
	require.Error(t, export.WriteFile(nil, name, 0o644, write("half", errors.New("no more"))))
	require.NoFileExists(t, name)
	require.NoError(t, export.WriteFile(nil, name, 0o644, write("one", nil)))
	holds("one", 0o644)
	require.Error(t, export.WriteFile(nil, name, 0o600, write("half", errors.New("no more"))))
	holds("one", 0o644)
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink("file", link))
	require.NoError(t, export.WriteFile(nil, link, 0o600, write("two", nil)))
	holds("two", 0o644)
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeSymlink, "a link stays one")

	require.ErrorContains(t, export.WriteFile(nil, dir, 0o600, write("x", nil)), "is a directory")
	require.NoError(t, export.WriteFile(nil, os.DevNull, 0o600, write("x", nil)))
	info, err = os.Stat(os.DevNull)
	require.NoError(t, err)
	require.False(t, info.Mode().IsRegular())
}
