package printing

import (
	"bincard/tui/label"
	"bincard/tui/label/queue"
	"bincard/tui/label/zpl"
)

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
func (s *Service) PrintAll(batch []Copies, opts Options, operator string) ([]queue.Job, error) {
	var jobs []queue.Job
	for _, c := range batch {
		d, err := s.Draw(c.Label, opts)
		if err != nil {
			return nil, err
		}
		if d.NoPrinter != nil {
			return nil, d.NoPrinter
		}
		for left := c.Count; left > 0; left -= zpl.MaxCopies {
			copies := min(left, zpl.MaxCopies)
			data, err := d.ZPL(copies)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, queue.Job{Printer: d.Printer.Name, Title: d.Label.Subject(), Copies: copies, Operator: operator, Data: data})
		}
	}
	if opts.Receipt != "" {
		return s.Queue.AddOnce(opts.Receipt, jobs)
	}
	return s.Queue.AddAll(jobs)
}
