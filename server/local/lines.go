package local

import (
	"bufio"
	"context"
	"io"

	"github.com/go-json-experiment/json"

	"bincard/server/archive"
	"bincard/server/ledger"
)

// A line is one of those that a proof is told in: how far it is, and at the end
// what it found or why it found nothing.
type line struct {
	Progress *archive.Progress `json:"progress,omitzero"`
	Proof    *ledger.Proof     `json:"proof,omitzero"`
	Failure  *failure          `json:"failure,omitzero"`
}

// Tell writes what a proof says while it is done and what it finds, in lines
// of JSON for Read. It flushes after each line; flush may be nil.
func Tell(w io.Writer, flush func() error, prove func(archive.Told) (*ledger.Proof, error)) {
	say := func(l line) {
		text, err := json.Marshal(l)
		if err != nil {
			return
		}
		_, _ = w.Write(append(text, '\n')) // who reads is gone; there is nobody to tell
		if flush != nil {
			_ = flush()
		}
	}
	proof, err := prove(func(p archive.Progress) { say(line{Progress: &p}) })
	if err != nil {
		say(line{Failure: failureOf(err)})
		return
	}
	say(line{Proof: proof})
}

// Read reads a proof that is told in lines; see Tell.
func Read(ctx context.Context, r io.Reader, told archive.Told) (*ledger.Proof, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, interrupted(ctx, err)
		}
		switch {
		case l.Failure != nil:
			return nil, l.Failure.err()
		case l.Proof != nil:
			return l.Proof, nil
		case l.Progress != nil:
			told.Tell(l.Progress.Stage, l.Progress.Done, l.Progress.Of)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, interrupted(ctx, err)
	}
	return nil, interrupted(ctx, io.ErrUnexpectedEOF)
}
