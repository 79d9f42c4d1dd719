package dock

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"bincard/server/api"
	"bincard/tui/widget"
)

// An Errand is a job done in one go, without a screen: a count that is given
// whole, held to the rules of the bench, and booked exactly once by its key.
type Errand struct {
	Site *Site
	// Ref names the document, or the goods as SKU@PLACE.
	Ref string
	// SKU says which goods of a document with several; "" where there is one.
	SKU string
	// All is all that is pending, in place of Count.Now.
	All   bool
	Count Count
	// Key is that of the first write; those that follow have it with a number.
	Key string
	// Again tells that the key was given: what it books may be booked already,
	// so that what is pending now decides nothing.
	Again bool
	// Insist has it kept where it is kept although it looks wrong: the goods have moved.
	Insist bool
	// Kept are the writes of this errand as they were sent before, or nil; Keep
	// keeps them before the first is sent, and forgets them for nil.
	Kept *Plan
	Keep func(*Plan) error
}

// A Report is what became of an errand.
type Report struct {
	Words    string // what was done
	Replayed bool   // it had been done before
	Outputs  []any  // what the service answered to each write; nil for one that is kept at risk
	// Here tells that it is kept and not confirmed by the service, AtRisk that
	// the service may refuse it.
	Here, AtRisk bool
}

// An UnsureError tells that an errand may or may not be done: it is to be
// repeated with its key.
type UnsureError struct {
	Key   string
	words string
	err   error
}

func (e *UnsureError) Error() string { return e.words }
func (e *UnsureError) Unwrap() error { return e.err }

// Do books what plan makes, or what was kept of it; said are the words for what
// the service answered, where the plan has none.
func (e *Errand) Do(ctx context.Context, plan func(context.Context) (*Plan, error), said func(p *Plan, outputs []any) string) (Report, error) {
	p := e.Kept
	if p == nil {
		var err error
		if p, err = plan(ctx); err != nil {
			return Report{}, err
		}
		for i := range p.Steps {
			if p.Steps[i].Key = e.Key; i > 0 {
				p.Steps[i].Key += "." + strconv.Itoa(i+1)
			}
		}
		if err := e.Keep(p); err != nil {
			return Report{}, err
		}
	}
	done := Report{Replayed: true}
	for over := false; !over; {
		step := p.Steps[p.Next]
		step.Insist = e.Insist
		res, err := e.Site.Send(ctx, step)
		if api.HasCode(err, api.AtRisk) {
			res, err, done.AtRisk = &api.Response{}, nil, true
		}
		if err != nil {
			return done, e.failed(p, err)
		}
		done.Outputs = append(done.Outputs, res.Output)
		done.Replayed = done.Replayed && res.Replayed
		done.Here = done.Here || res.CommittedBy != ""
		if over, err = p.Answered(res); err != nil {
			return done, err
		}
	}
	switch done.Words = p.Toast; {
	case done.AtRisk:
		done.Words = keptAtRisk
	case done.Words == "":
		done.Words = said(p, done.Outputs)
	}
	if done.Here && !done.AtRisk {
		done.Words += " " + bookedHere
	}
	return done, nil
}

// failed says what is known of a write that failed.
func (e *Errand) failed(p *Plan, err error) error {
	step := p.Steps[p.Next]
	switch {
	case Unsure(err) && neverSent(err) && p.Next == 0:
		return &UnsureError{Key: e.Key, words: Words(err), err: err}
	case Unsure(err):
		return &UnsureError{Key: e.Key, err: err, words: fmt.Sprintf(errandUnknown, step.Words)}
	case p.Next > 0:
		return fmt.Errorf(errandHalf, p.Steps[0].Words, step.Words, &worded{err})
	}
	_ = e.Keep(nil) // what was refused may be given anew with this key
	return &worded{err}
}

// worded is an error in the words of the screens.
type worded struct{ err error }

func (w *worded) Error() string { return Words(w.err) }
func (w *worded) Unwrap() error { return w.err }

// Fit holds what is counted to the rules of a line.
func (e *Errand) Fit(l *Line) error {
	if e.Again && !e.All {
		l.Pending = api.MaxQuantity
	}
	c := e.Count
	if err := l.InLot(c.Lot, c.Ends); err != nil {
		return err
	}
	for _, serial := range c.Serials {
		if err := l.Piece(serial); err != nil {
			return err
		}
	}
	switch n := int64(len(c.Serials)); {
	case n > 0 && c.Now > 0 && n != c.Now:
		return fmt.Errorf(errandSerials, widget.Count(n), widget.Count(c.Now))
	case n > 0:
	case e.All && l.Pending == 0:
		return errors.New(refusals[api.NothingPending])
	case l.BySerial() && e.All && l.Goods.Known:
		return fmt.Errorf(errandPieces, l.Goods.SKU)
	case e.All:
		l.Count.Now = l.Pending
	default:
		if err := l.Set(c.Now); err != nil {
			return err
		}
	}
	for _, serial := range c.DamagedSerials {
		if err := l.DamagePiece(serial); err != nil {
			return err
		}
	}
	if len(c.DamagedSerials) == 0 && c.Damaged > 0 {
		if err := l.Damage(c.Damaged); err != nil {
			return err
		}
	}
	return l.bookable()
}

// Only is the one document that is meant: the one that is open, or the one
// there is. Several are an error that names them.
func Only[T any](ref string, docs []T, open func(*T) bool, choice func(*T) string) (*T, error) {
	n := 0
	for n < len(docs) && open(&docs[n]) {
		n++
	}
	if n <= 1 {
		return &docs[0], nil
	}
	text := fmt.Sprintf(errandSeveral, n, ref)
	for i := range docs[:n] {
		text += "\n  " + choice(&docs[i])
	}
	return nil, errors.New(text)
}
