package export

import (
	"bufio"
	"context"
	"io"
	"io/fs"
	"sync"

	"bincard/tui/i18n"
)

// A Source is a report that can be exported. FromPages and FromRows make one.
type Source interface {
	// write returns a writer of the report to out.
	write(t *i18n.Translator, out io.Writer, format Format) rowWriter
}

// A rowWriter writes one report.
type rowWriter interface {
	run(ctx context.Context) error
	flush() error
	count() int64
	discard()
}

// FromPages returns a source that reads its rows page by page.
func FromPages[T any](columns []Column[T], fetch Fetch[T]) Source {
	return pageSource[T]{columns, fetch}
}

// FromRows returns a source of rows that are already in memory.
func FromRows[T any](columns []Column[T], rows []T) Source {
	return FromPages(columns, func(context.Context, string) ([]T, *string, error) { return rows, nil, nil })
}

type pageSource[T any] struct {
	columns []Column[T]
	fetch   Fetch[T]
}

func (s pageSource[T]) write(t *i18n.Translator, out io.Writer, format Format) rowWriter {
	return &pageWriter[T]{NewWalk(s.fetch), NewWriter(t, out, format, s.columns)}
}

type pageWriter[T any] struct {
	walk *Walk[T]
	to   *Writer[T]
}

func (w *pageWriter[T]) run(ctx context.Context) error { return w.walk.Run(ctx, w.to.Write) }
func (w *pageWriter[T]) flush() error                  { return w.to.Flush() }
func (w *pageWriter[T]) count() int64                  { return w.walk.Rows() }
func (w *pageWriter[T]) discard()                      { w.to.Discard() }

// WriteSource writes a whole source to out, in the language of t, and returns the number of rows.
func WriteSource(
	ctx context.Context,
	t *i18n.Translator,
	out io.Writer,
	format Format,
	s Source,
) (rows int64, err error) {
	buffer := bufio.NewWriterSize(out, 1<<16)
	p := s.write(t, buffer, format)
	defer p.discard()
	if err = p.run(ctx); err == nil {
		err = p.flush()
	}
	if err == nil {
		err = buffer.Flush()
	}

	return p.count(), err
}

// A FileExport writes a source to a file. After an error, Run resumes where it
// stopped. Until Run succeeds or Discard is called, the partial data is in a
// temporary file in the same directory.
type FileExport struct {
	mu     sync.Mutex // held while Run runs
	file   *File
	buffer *bufio.Writer
	writer rowWriter
}

// NewFileExport starts a file at path.
func NewFileExport(t *i18n.Translator, path string, format Format, s Source) (*FileExport, error) {
	f, err := Create(t, path, 0o600)
	if err != nil {
		return nil, t.NewError("Cannot write the file: %v. Choose another folder.", err)
	}
	j := &FileExport{file: f, buffer: bufio.NewWriterSize(f, 1<<16)}
	j.writer = s.write(t, j.buffer, format)
	return j, nil
}

// Run writes the remaining rows and commits the file.
func (j *FileExport) Run(ctx context.Context) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	err := j.writer.run(ctx)
	if err == nil {
		err = j.writer.flush()
	}
	if err == nil {
		err = j.buffer.Flush()
	}
	if err == nil {
		err = j.file.Commit()
	}

	return err
}

// Rows returns the number of rows read so far.
func (j *FileExport) Rows() int64 { return j.writer.count() }

// Name returns the path of the file.
func (j *FileExport) Name() string { return j.file.Name() }

// Discard waits for Run to return and removes the file unless it is complete.
func (j *FileExport) Discard() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.writer.discard()
	j.file.Discard()
}

// WriteFile writes a file that is there whole or not at all; see File.
func WriteFile(t *i18n.Translator, name string, perm fs.FileMode, fn func(io.Writer) error) error {
	f, err := Create(t, name, perm)
	if err != nil {
		return err
	}

	defer f.Discard()
	if err := fn(f); err != nil {
		return err
	}

	return f.Commit()
}
