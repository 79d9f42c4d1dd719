package panel

import (
	"context"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/submit"
)

// A NewDocumentForm describes a form that creates a document of one product. Its field
// "product" is filled by scans.
type NewDocumentForm struct {
	Title string // "Receive › new"
	// Document is what it creates: "new delivery".
	Document string
	// Short is the title for small terminals; Document if empty.
	Short  string
	Prompt string // what the form is for, in one line
	Fields func(ctx context.Context) ([]widget.Field, error)
	// ItemNote returns what matters about the item: "204 available"; may be nil.
	ItemNote func(ctx context.Context, item count.Item) (string, error)
	// BuildStep returns the write for the values.
	BuildStep func(values map[string]string, item count.Item) (submit.Step, error)
	// Created returns the route of the new document and the message to show.
	Created func(res *api.Response) (route, toast string)
}

// ParseDue returns when a document is due by the value of a date field, nil if that is empty,
// and the metadata that makes it due by the end of a day.
func ParseDue(value string, zone *time.Location) (*time.Time, api.Metadata, error) {
	if value == "" {
		return nil, nil, nil
	}
	if at, err := time.ParseInLocation(widget.DateClock, value, zone); err == nil {
		return &at, nil, nil
	}

	day, err := time.Parse(time.DateOnly, value)
	if err != nil {
		return nil, nil, err
	}
	m, err := (&api.Announced{DueDay: true}).Metadata()
	return &day, m, err
}

func (s *newDocumentScreen) View(size tui.Size) string {
	t := s.env.Theme
	if s.form == nil {
		return LoadingView(s.site.T(), t, size, s.site.T().Get("the form"), s.errText)
	}
	ask := s.config.Prompt
	if s.submission.Unfinished() {
		ask = s.site.T().Get("No answer yet: enter to retry")
	}
	var lines []string
	if size.Class != tui.Short {
		for _, line := range widget.Wrap(ask, size.Width-margin(size)) {
			lines = append(lines, t.Muted.Render(line))
		}
		lines = append(lines, "")
	}
	lines = append(lines, strings.Split(s.form.View(t, size.Width-margin(size)), "\n")...)
	if s.item != nil && !size.Small() {
		lines = append(lines, "", "  "+t.OK(widget.Clean(s.item.Title()+"   "+s.item.PackText(s.site.T())+"   "+s.itemNote)))
	}
	return FitHeight(indent(strings.Join(lines, "\n"), size), size.Height)
}

// Speech describes the form in words.
func (s *newDocumentScreen) Speech() tui.Speech {
	t := s.site.T()

	switch {
	case s.form == nil && s.errText != "":
		return tui.Speech{Facts: []string{s.errText}, Question: t.Get("retry or back")}
	case s.form == nil:
		return tui.Speech{Facts: []string{t.Get("loading")}}
	case s.submission.Unfinished():
		return tui.Speech{Facts: []string{t.Get("No answer yet for: %s", s.submission.Unanswered().Text)}, Question: t.Get("retry or back")}
	}
	return tui.Speech{Facts: []string{s.config.Prompt}, Form: s.form}
}
