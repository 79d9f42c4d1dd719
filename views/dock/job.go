package dock

import (
	"bincard/tui/i18n"
	"context"
	"errors"
	"fmt"
	"strconv"

	"bincard/server/api"
)

// A Job is a job done in one go, without a screen: a count that is given
// whole, held to the rules of the bench, and booked exactly once by its key.
type Job struct {
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
	// MayBeBooked tells that the key was given: what it books may be booked already,
	// so that what is pending now decides nothing.
	MayBeBooked bool
	// Insist has it kept where it is kept although it looks wrong: the goods have moved.
	Insist bool
	// Saved are the writes of this errand as they were sent before, or nil; Keep
	// keeps them before the first is sent, and forgets them for nil.
	Saved *Submission
	Save  func(*Submission) error
}

// A JobResult is what became of an errand.
type JobResult struct {
	Text     string // what was done
	Replayed bool   // it had been done before
	Outputs  []any  // what the service answered to each write; nil for one that is kept at risk
	// Unconfirmed tells that it is kept and not confirmed by the service, AtRisk that
	// the service may refuse it.
	Unconfirmed, AtRisk bool
}

// An UnknownOutcomeError tells that an errand may or may not be done: it is to be
// repeated with its key.
type UnknownOutcomeError struct {
	Key  string
	text string
	err  error
}

func (e *UnknownOutcomeError) Error() string { return e.text }
func (e *UnknownOutcomeError) Unwrap() error { return e.err }

// Run books what plan makes, or what was kept of it; said are the words for what
// the service answered, where the plan has none.
func (e *Job) Run(ctx context.Context, plan func(context.Context) (*Submission, error), said func(p *Submission, outputs []any) string) (JobResult, error) {
	p := e.Saved
	if p == nil {
		var err error
		if p, err = plan(ctx); err != nil {
			return JobResult{}, err
		}
		for i := range p.Steps {
			if p.Steps[i].Key = e.Key; i > 0 {
				p.Steps[i].Key += "." + strconv.Itoa(i+1)
			}
		}
		if err := e.Save(p); err != nil {
			return JobResult{}, err
		}
	}
	done := JobResult{Replayed: true}
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
		done.Unconfirmed = done.Unconfirmed || res.CommittedBy != ""
		if over, err = p.Advance(res); err != nil {
			return done, err
		}
	}
	switch done.Text = p.Toast; {
	case done.AtRisk:
		done.Text = e.Site.T().Get("kept, at risk: the service may reject it")
	case done.Text == "":
		done.Text = said(p, done.Outputs)
	}
	if done.Unconfirmed && !done.AtRisk {
		done.Text += " " + e.Site.T().Get("(saved here, waiting to sync)")
	}
	return done, nil
}

// failed says what is known of a write that failed.
func (e *Job) failed(p *Submission, err error) error {
	step := p.Steps[p.Next]
	switch {
	case OutcomeUnknown(err) && neverSent(err) && p.Next == 0:
		return &UnknownOutcomeError{Key: e.Key, text: UserMessage(e.Site.T(), err), err: err}
	case OutcomeUnknown(err):
		return &UnknownOutcomeError{Key: e.Key, err: err, text: e.Site.T().Get("No answer, so this may already be done: %s. Retry with the same key: it is done only once.", step.Text)}
	case p.Next > 0:
		return fmt.Errorf(e.Site.T().Get("Done: %s. Failed: %s. %w"), p.Steps[0].Text, step.Text, &userError{e.Site.T(), err})
	}
	_ = e.Save(nil) // what was refused may be given anew with this key
	return &userError{e.Site.T(), err}
}

// userError is an error in the words of the screens.
type userError struct {
	t   *i18n.Translator
	err error
}

func (w *userError) Error() string { return UserMessage(w.t, w.err) }
func (w *userError) Unwrap() error { return w.err }

// ApplyTo holds what is counted to the rules of a line.
func (e *Job) ApplyTo(l *Line) error {
	t := e.Site.T()

	if e.MayBeBooked && !e.All {
		l.Pending = api.MaxQuantity
	}
	c := e.Count
	if err := l.SetLot(t, c.Lot, c.ExpiresAt); err != nil {
		return err
	}
	for _, serial := range c.Serials {
		if err := l.AddSerial(t, serial); err != nil {
			return err
		}
	}
	switch n := int64(len(c.Serials)); {
	case n > 0 && c.Quantity > 0 && n != c.Quantity:
		return errors.New(t.Get("There are %s serial numbers for %s items. Give one for each item.", t.Count(n), t.Count(c.Quantity)))
	case n > 0:
	case e.All && l.Pending == 0:
		return errors.New(e.Site.T().Get(refusals[api.NothingPending]))
	case l.BySerial() && e.All && l.Item.InCatalog:
		return errors.New(t.Get("%s is serialized. Give the serial number of each item.", l.Item.SKU))
	case e.All:
		l.Count.Quantity = l.Pending
	default:
		if err := l.Set(t, c.Quantity); err != nil {
			return err
		}
	}
	for _, serial := range c.DamagedSerials {
		if err := l.ToggleDamagedSerial(t, serial); err != nil {
			return err
		}
	}
	if len(c.DamagedSerials) == 0 && c.Damaged > 0 {
		if err := l.SetDamaged(t, c.Damaged); err != nil {
			return err
		}
	}
	return l.checkBookable(t)
}

// SelectDocument is the one document that is meant: the one that is open, or the one
// there is. Several are an error that names them.
func SelectDocument[T any](t *i18n.Translator, ref string, docs []T, open func(*T) bool, choice func(*T) string) (*T, error) {
	n := 0
	for n < len(docs) && open(&docs[n]) {
		n++
	}
	if n <= 1 {
		return &docs[0], nil
	}
	text := t.Get("There are %d open documents named %s. Use one of these ids:", n, ref)
	for i := range docs[:n] {
		text += "\n  " + choice(&docs[i])
	}
	return nil, errors.New(text)
}
