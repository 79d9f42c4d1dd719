package printlabels

import (
	"context"
	"time"

	"bincard/tui/i18n"
	"bincard/tui/label/printing"
	"bincard/views/labels"
	"bincard/views/session"
)

// checkEvery is how often Watch checks the queue.
const checkEvery = 2 * time.Second

// Watch warns about the labels of the operator that are not printed, until ctx ends.
func Watch(ctx context.Context, site *session.Site, warn func(text string)) {
	service := site.Labels()
	notices := NewNotices(service.Now())
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}

		jobs, err := service.Queue.Jobs()
		if err != nil {
			continue // the label screens show it
		}
		for _, text := range notices.Next(site.T(), site.Operator(), jobs, service.Now()) {
			warn(text)
		}
	}
}

// waitLong is how long a label waits for its printer without a warning.
const waitLong = 15 * time.Second

// Notices finds what the operator must know about the label queue, each once.
type Notices struct {
	since time.Time
	known map[int64]time.Time // labels that were reported, and when they changed
	stuck map[string]bool     // printers that were reported
}

// NewNotices returns the notices for an operator who starts now. They leave out what
// changed before, but not labels that still wait.
func NewNotices(now time.Time) *Notices {
	return &Notices{since: now, known: map[int64]time.Time{}, stuck: map[string]bool{}}
}

// Next returns what is new in the queue: labels that may be printed, that a printer has
// received but does not print, and printers whose labels wait for long.
func (n *Notices) Next(t *i18n.Translator, operator string, jobs []printing.Job, now time.Time) (texts []string) {
	waiting := map[string][]printing.Job{}
	known := n.known
	n.known = map[int64]time.Time{}
	for _, job := range jobs {
		if at, ok := known[job.ID]; ok && at.Equal(job.Changed) {
			n.known[job.ID] = at
			continue
		}

		switch {
		case job.Operator != operator:
		case job.State == printing.Queued:
			waiting[job.Printer] = append(waiting[job.Printer], job)
		case job.Changed.Before(n.since):
		case job.State == printing.MaybePrinted:
			n.known[job.ID] = job.Changed
			texts = append(
				texts,
				t.Get(
					"%s: the label for %s may have printed. Check the printer, then decide on Labels.",
					job.Printer,
					job.Title,
				),
			)
		case job.State == printing.Printed && job.Reason != "":
			n.known[job.ID] = job.Changed
			texts = append(texts, t.Get("%s: %s", job.Printer, t.Message(job.Reason)))
		}
	}

	for name := range n.stuck {
		if len(waiting[name]) == 0 {
			delete(n.stuck, name)
		}
	}

	for _, job := range jobs {
		name, list := job.Printer, waiting[job.Printer]
		if n.stuck[name] || len(list) == 0 || now.Sub(list[0].Created) < waitLong || list[0].Reason == "" {
			continue
		}
		n.stuck[name] = true
		texts = append(texts,
			t.Get("%s not printed on %s: %s", labels.CountText(t, labelCount(list)), name, t.Message(list[0].Reason)))
	}

	return texts
}

// labelCount returns how many labels jobs have.
func labelCount(jobs []printing.Job) (n int64) {
	for _, job := range jobs {
		n += int64(job.Copies)
	}
	return n
}
