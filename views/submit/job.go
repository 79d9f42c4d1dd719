package submit

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/session"
)

// A Job books a complete count without a screen. It follows the rules of the count
// panel and is booked exactly once by its key.
type Job struct {
	Site *session.Site
	// Ref names the document, or the stock as SKU@LOCATION.
	Ref string
	// SKU selects an item of a document with several; "" if there is one.
	SKU string
	// All counts everything pending, instead of Count.Quantity.
	All   bool
	Count count.Count
	// Swap lets the counted lot replace what was picked of other lots.
	Swap bool
	// Key is the idempotency key of the first write; the others append a number.
	Key string
	// MayBeBooked is set if Key was supplied by the caller: the job may already be
	// booked, so what is pending now does not limit the count.
	MayBeBooked bool
	// Insist saves the booking even if the local check rejects it, because the items
	// have moved.
	Insist bool
	// Saved holds the writes of an earlier attempt, or nil. Save stores them before
	// the first one is sent, and removes them if called with nil.
	Saved *Submission
	Save  func(*Submission) error
}

// A JobResult is the result of a job.
type JobResult struct {
	Text     string // what was done, and that it is not synced
	Done     string // what was done
	Replayed bool   // it was already done
	Outputs  []any  // output of each write; nil for one saved at risk
	// Unconfirmed means that the booking is saved but not confirmed by the service,
	// AtRisk that the service may reject it.
	Unconfirmed, AtRisk bool
}

// An UnknownOutcomeError reports that a job may or may not be done. It must be retried
// with its key.
type UnknownOutcomeError struct {
	Key  string
	text string
	err  error
}

func (e *UnknownOutcomeError) Error() string { return e.text }

func (e *UnknownOutcomeError) Unwrap() error { return e.err }

// Run performs the saved submission, or else the one that plan returns. describe
// returns the result text from the outputs; it is used if the submission has no toast.
func (j *Job) Run(
	ctx context.Context,
	plan func(context.Context) (*Submission, error),
	describe func(p *Submission, outputs []any) string,
) (JobResult, error) {
	p := j.Saved
	if p == nil {
		var err error
		if p, err = plan(ctx); err != nil {
			return JobResult{}, err
		}
		for i := range p.Steps {
			if p.Steps[i].Key = j.Key; i > 0 {
				p.Steps[i].Key += "." + strconv.Itoa(i+1)
			}
		}

		if err := j.Save(p); err != nil {
			return JobResult{}, err
		}
	}

	for i := range p.Steps {
		p.Steps[i].Insist = j.Insist
	}

	done := JobResult{Replayed: len(p.Steps) > 0}
	for p.State() != Done {
		a := p.SendAndWait(ctx, j.Site)
		if err := p.Answered(a); err != nil {
			return done, j.failed(p, err)
		}

		res := a.Response
		if a.AtRisk() {
			res, done.AtRisk = &api.Response{}, true
		}

		done.Outputs = append(done.Outputs, res.Output)
		done.Replayed = done.Replayed && res.Replayed
		done.Unconfirmed = done.Unconfirmed || res.CommittedBy != ""
	}

	switch done.Text = p.Toast; {
	case done.AtRisk:
		done.Text = j.Site.T().Get("Saved at risk: the service may reject it")
		if skipped := p.Skipped(); skipped != "" {
			done.Text += ". " + j.Site.T().Get("Not done: %s. Do it after the sync.", skipped)
		}
	case done.Text == "":
		done.Text = describe(p, done.Outputs)
	}

	if done.Done = done.Text; done.Unconfirmed && !done.AtRisk {
		done.Text = j.Site.T().Get("Saved, not synced. %s", done.Text)
	}

	return done, nil
}

// failed returns the error of a job whose next step failed with err.
func (j *Job) failed(p *Submission, err error) error {
	t, step := j.Site.T(), p.Steps[p.Next]
	switch state := p.State(); {
	case state == Idle && p.Next == 0:
		return &UnknownOutcomeError{Key: j.Key, text: UserMessage(t, err), err: err}
	case state != Refused:
		return &UnknownOutcomeError{
			Key: j.Key,
			err: err,
			text: t.Get("No answer, so this may already be done: %s. Retry with the same key: it is done only once.",
				step.Text),
		}

	case p.Next > 0:
		return fmt.Errorf(t.Get("Done: %s. Failed: %s. %w"), p.Steps[0].Text, step.Text, &userError{t, err})
	}

	_ = j.Save(nil) // a rejected job may be changed and retried with this key

	return &userError{t, err}
}

// userError is an error with the text that screens show.
type userError struct {
	t   *i18n.Translator
	err error
}

func (e *userError) Error() string { return UserMessage(e.t, e.err) }

func (e *userError) Unwrap() error { return e.err }

// ApplyTo counts the job's count on a line and checks that it can be booked. needsLot means
// that the pieces leave and their lots are not chosen yet.
func (j *Job) ApplyTo(l *count.Line, needsLot bool) error {
	if j.MayBeBooked && !j.All {
		l.Pending = api.MaxQuantity
	}
	if err := l.Enter(j.Site.T(), j.Count, j.All); err != nil || !needsLot {
		return err
	}
	return CheckLot(j.Site, l)
}

// CheckLot returns an error if the lot of the counted pieces, which leave, must be entered by
// the rules of the organization.
func CheckLot(site *session.Site, l *count.Line) error {
	if !site.Rules().RequireLot || !l.ByLot() || l.Count.Lot != "" || l.Count.Quantity == 0 || l.IsPicked() {
		return nil
	}
	return site.T().NewError("%s is tracked by lot. Scan or type the lot (F7), then try again.", l.Item.SKU)
}

// ChooseLine returns the line that the job is for, of a document called name: the one whose
// key it names, else one of its SKU, else the only one with something to go.
func (j *Job) ChooseLine(name string, lines []*count.Line) (*count.Line, error) {
	t := j.Site.T()

	var found, open []*count.Line
	var skus []string
	for _, l := range lines {
		if strings.EqualFold(l.Key, j.Ref) || len(lines) == 1 && j.SKU == "" {
			return l, nil
		}

		skus = append(skus, l.Item.SKU)
		if _, _, named := l.Item.MatchCode(t, j.SKU); named || j.SKU == "" {
			found = append(found, l)
			if l.Pending > 0 {
				open = append(open, l)
			}
		}
	}

	switch {
	case len(found) == 0:
		return nil, t.NewError("%s does not contain %s. It contains %s.", name, j.SKU, strings.Join(skus, ", "))
	case j.SKU == "" && len(open) != 1:
		return nil, t.NewError("%s has several lines. Specify one: %s.", name, strings.Join(skus, ", "))
	}

	return append(open, found...)[0], nil
}
