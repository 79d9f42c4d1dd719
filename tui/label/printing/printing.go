// Package printing prints labels. A Service chooses the printer and the template by the
// Settings, numbers and draws the label, and adds it to the Queue.
//
// A Queue is a folder that all programs of a machine share. A job is in it once Add
// returns, and a label is marked as being sent before its first byte leaves, so that
// after a crash it is known which one may be printed. A Worker sends the jobs of each
// printer in order, one program at a time, and repeats only what is certainly not
// printed. What may be printed, a person decides: Retry or Cancel.
//
// A Sender sends a label over TCP, to a device or file, or through CUPS, and says what is
// certain. A *PrinterError with MayBePrinted set means that the connection ended after the
// first byte; any other error means that nothing is printed, so that the label can be sent
// again.
//
// Numbers of labels that are printed before the goods are received, and of pallets, never
// repeat: programs share their counters in files.
package printing

import (
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	"bincard/tui/i18n"
	"bincard/tui/label"
)

// A Service prints the labels of a terminal. It is safe for concurrent use.
type Service struct {
	Settings Settings
	Library  label.Library
	Queue    *Queue
	Dir      string // of the counters of pallets, serial numbers and lots
	Terminal string // the name of this machine, by which printers are chosen and numbers differ
	Now      func() time.Time
	// Send replaces Sender.Send; nil outside of tests.
	Send func(ctx context.Context, p Printer, data []byte) (note string, err error)
}

// Options say how a label is printed. What is empty is chosen by the settings.
type Options struct {
	Printer  string // a name
	Location string // the code of the operator's location, which chooses the printer
	Template string
	Symbol   label.Symbology
	DPI      int
	Language *i18n.Translator // of the words on the label
	// Receipt is the idempotency key of the receipt whose labels PrintAll adds once.
	Receipt string
}

// A Draft is a label ready to print.
type Draft struct {
	Label    label.Label
	Codes    label.Codes
	Template string
	Page     *label.Page
	// Printer is the chosen printer. If no printer was found, NoPrinter says why.
	Printer   Printer
	NoPrinter error
}

// Draw draws a label for a printer. It does not fail if there is no printer: the draft can
// be shown.
func (s *Service) Draw(l label.Label, opts Options) (*Draft, error) {
	codes, err := label.Encode(l, s.Now())
	if err != nil {
		return nil, err
	}

	d := &Draft{Label: l, Codes: codes}
	d.Printer, d.NoPrinter = s.Settings.Choose(opts.Printer, opts.Location, s.Terminal)
	if d.NoPrinter != nil && opts.Printer != "" {
		return nil, d.NoPrinter
	}

	template, err := s.Library.Find(cmp.Or(opts.Template, s.Settings.TemplateFor(l.Kind, d.Printer)))
	if err != nil {
		return nil, err
	}

	d.Template = template.Name
	d.Page, err = template.Place(l, codes,
		label.Options{DPI: cmp.Or(opts.DPI, d.Printer.DPI), Symbol: opts.Symbol, Domain: s.Settings.LinkDomain,
			Language: opts.Language})

	return d, err
}

// ZPL returns what the printer gets.
func (d *Draft) ZPL(copies int) ([]byte, error) {
	return label.ZPL(d.Page, label.ZPLOptions{Copies: copies, Font: d.Printer.Font})
}

// PNG writes the label as a picture. missing are characters that the bundled font lacks;
// the picture has question marks for them, but the printer may have them.
func (d *Draft) PNG(w io.Writer) (missing string, err error) { return label.PNG(w, d.Page) }

// Words describes the label in a few lines.
func (d *Draft) Words(t *i18n.Translator) []string { return d.Label.Words(t, d.Codes) }

// Print adds a label to the queue of its printer and returns when it is on disk. Worker
// sends it.
func (s *Service) Print(d *Draft, copies int, operator string) (Job, error) {
	if copies < 1 || copies > label.MaxCopies {
		return Job{}, errors.New(i18n.Textf("%d is not a number of copies from 1 to %d", copies, label.MaxCopies))
	}

	job, err := d.job(copies, operator)
	if err != nil {
		return job, err
	}

	job.Title = d.Label.Kind.Title(nil) + " " + job.Title

	return s.Queue.Add(job)
}

// job returns what is added to the queue.
func (d *Draft) job(copies int, operator string) (Job, error) {
	if d.NoPrinter != nil {
		return Job{}, d.NoPrinter
	}
	data, err := d.ZPL(copies)
	return Job{Printer: d.Printer.Name, Title: d.Label.Subject(), Copies: copies, Operator: operator, Data: data}, err
}

// Copies is a label and how often it is printed.
type Copies struct {
	Label label.Label
	Count int
}

// Total returns how many labels a batch has.
func Total(batch []Copies) (n int) {
	for _, c := range batch {
		n += c.Count
	}
	return n
}

// PrintAll adds labels to the queue of their printer in order, and returns when they are
// on disk. If one of them cannot be drawn, it adds none. With Options.Receipt, it adds them
// once, and also returns those that are in the queue already.
func (s *Service) PrintAll(batch []Copies, opts Options, operator string) (jobs []Job, err error) {
	for _, c := range batch {
		d, err := s.Draw(c.Label, opts)
		if err != nil {
			return nil, err
		}

		for left := c.Count; left > 0; left -= label.MaxCopies {
			job, err := d.job(min(left, label.MaxCopies), operator)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, job)
		}
	}

	return s.Queue.AddOnce(opts.Receipt, jobs)
}

// Worker returns a worker that sends the labels in the queue.
func (s *Service) Worker() *Worker {
	return &Worker{Queue: s.Queue, Printers: s.Settings.Printers, Send: s.Send}
}

// pollEvery is how often Await looks at a job that another program sends.
const pollEvery = 100 * time.Millisecond

// Await sends the jobs of a job's printer, or waits for another program to do it, and
// returns the job when it is printed or cannot be printed now, or ctx ends.
func (s *Service) Await(ctx context.Context, id int64) (Job, error) {
	for {
		job, err := s.Queue.Job(id)
		if err != nil || job.State != Queued && job.State != Sending || ctx.Err() != nil {
			return job, err
		}

		err = s.Worker().Drain(ctx, job.Printer)
		if err == nil || !errors.Is(err, ErrBusy) {
			return s.Queue.Job(id)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pollEvery):
		}
	}
}

// NextSSCC returns the number of a new pallet.
func (s *Service) NextSSCC(ctx context.Context) (string, error) {
	if s.Settings.CompanyPrefix == "" {
		return "", errors.New(i18n.Textf("Pallets need the company's GS1 prefix: set company_prefix in labels.toml."))
	}
	return s.Settings.Counter(s.Dir).Next(ctx)
}

// Pattern returns this terminal's pattern of new serial numbers or lots. The error says how
// to set it.
func (s *Service) Pattern(kind label.Kind) (NumberPattern, error) {
	pattern, problem := s.Settings.Serials, i18n.Textf("New serial numbers need a pattern: set serials in labels.toml.")
	if kind == label.KindLot {
		pattern, problem = s.Settings.Lots, i18n.Textf("New lots need a pattern: set lots in labels.toml.")
	}
	if pattern == "" {
		return "", errors.New(problem)
	}
	return pattern.For(s.Terminal)
}

// NextNumbers returns n new serial numbers or lots, which are never returned again.
func (s *Service) NextNumbers(ctx context.Context, kind label.Kind, n int64) ([]string, error) {
	p, err := s.Pattern(kind)
	if err != nil {
		return nil, err
	}
	return p.Take(ctx, s.Dir, string(kind), n, s.Now())
}
