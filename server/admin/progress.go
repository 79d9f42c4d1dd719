package admin

import (
	"bufio"
	"context"
	"io"

	"github.com/go-json-experiment/json"

	"bincard/server/archive"
	"bincard/server/ledger/audit"
	"bincard/server/local"
)

// A progressLine is a line of a verification's output: its progress, and at
// the end its result or error.
type progressLine struct {
	Progress *archive.Progress `json:"progress,omitzero"`
	Result   *audit.Result     `json:"proof,omitzero"`
	Failure  *failure          `json:"failure,omitzero"`
}

// WriteProgress writes the progress and result of a verification as lines of
// JSON for ReadProgress. It calls flush after each line; flush may be nil.
func WriteProgress(w io.Writer, flush func() error, verify func(archive.ProgressFunc) (*audit.Result, error)) {
	write := func(l progressLine) {
		text, err := json.Marshal(l)
		if err != nil {
			return
		}
		_, _ = w.Write(append(text, '\n')) // an error means that the reader is gone
		if flush != nil {
			_ = flush()
		}
	}

	proof, err := verify(func(p archive.Progress) { write(progressLine{Progress: &p}) })
	if err != nil {
		write(progressLine{Failure: failureOf(err)})
		return
	}

	write(progressLine{Result: proof})
}

// ReadProgress reads what WriteProgress wrote.
func ReadProgress(ctx context.Context, r io.Reader, progress archive.ProgressFunc) (*audit.Result, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var l progressLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, local.Disconnected(ctx, err)
		}

		switch {
		case l.Failure != nil:
			return nil, l.Failure.err()
		case l.Result != nil:
			return l.Result, nil
		case l.Progress != nil:
			progress.Report(l.Progress.Stage, l.Progress.Done, l.Progress.Total)
		}
	}

	if err := lines.Err(); err != nil {
		return nil, local.Disconnected(ctx, err)
	}

	return nil, local.Disconnected(ctx, io.ErrUnexpectedEOF)
}
