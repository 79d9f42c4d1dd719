package local

import (
	"bufio"
	"context"
	"io"

	"github.com/go-json-experiment/json"

	"bincard/server/archive"
	"bincard/server/ledger"
)

// A progressLine is one of those that a proof is told in: how far it is, and at the end
// what it found or why it found nothing.
type progressLine struct {
	Progress *archive.Progress    `json:"progress,omitzero"`
	Result   *ledger.VerifyResult `json:"proof,omitzero"`
	Failure  *failure             `json:"failure,omitzero"`
}

// WriteProgress writes what a proof says while it is done and what it finds, in lines
// of JSON for Read. It flushes after each line; flush may be nil.
func WriteProgress(w io.Writer, flush func() error, prove func(archive.ProgressFunc) (*ledger.VerifyResult, error)) {
	say := func(l progressLine) {
		text, err := json.Marshal(l)
		if err != nil {
			return
		}
		_, _ = w.Write(append(text, '\n')) // who reads is gone; there is nobody to tell
		if flush != nil {
			_ = flush()
		}
	}
	proof, err := prove(func(p archive.Progress) { say(progressLine{Progress: &p}) })
	if err != nil {
		say(progressLine{Failure: failureOf(err)})
		return
	}
	say(progressLine{Result: proof})
}

// ReadProgress reads a proof that is told in lines; see Tell.
func ReadProgress(ctx context.Context, r io.Reader, told archive.ProgressFunc) (*ledger.VerifyResult, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var l progressLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, contextError(ctx, err)
		}
		switch {
		case l.Failure != nil:
			return nil, l.Failure.err()
		case l.Result != nil:
			return l.Result, nil
		case l.Progress != nil:
			told.Report(l.Progress.Stage, l.Progress.Done, l.Progress.Total)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, contextError(ctx, err)
	}
	return nil, contextError(ctx, io.ErrUnexpectedEOF)
}
