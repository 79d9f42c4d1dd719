package item

import (
	"cmp"
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/panel"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// maxRows limits the documents of a job that are listed. The job's key offers all.
const maxRows = 3

// A row is a document of a job, or the job itself.
type row struct {
	job      job
	digit    string // the key of the job, on its first row
	document *document
	text     string    // of a job: what is known of it
	note     string    // more of it
	warning  string    // what is wrong with it
	more     int       // documents that have no row
	last     *document // of the job that has a row; those of more follow it
}

// key identifies the row while documents come and go.
func (r row) key() string {
	if r.document == nil {
		return r.job.id
	}
	return r.document.route
}

// showRows lists the documents and the jobs. The cursor stays on the first row until the
// operator moves it.
func (s *screen) showRows() {
	rows := s.documentRows()
	digits := map[string]bool{}
	for i := range rows {
		if !digits[rows[i].job.id] {
			rows[i].digit, digits[rows[i].job.id] = rows[i].job.digit, true
		}
	}

	jobs := slices.DeleteFunc(s.jobRows(),
		func(r row) bool { _, _, err := s.routes.Find(r.job.route); return r.job.route != "" && err != nil })
	if s.Route.Query.Get("first") == "trace" && len(jobs) > 0 {
		rows = append(jobs[:1:1], append(rows, jobs[1:]...)...)
	} else {
		rows = append(rows, jobs...)
	}

	s.list.SetRows(rows)
	if !s.moved {
		s.list.MoveTo(0)
	}
}

// documentRows returns the documents that wait for the item: those that hold the scanned
// lot, then the first due. A job whose documents are not known yet has a row of its own.
func (s *screen) documentRows() (rows []row) {
	for _, j := range s.jobs() {
		a, known := s.loaded[j.id]
		switch {
		case j.load == nil || j.grouped || session.IsUnsupported(a.err):
			continue
		case a.err != nil:
			rows = append(rows, row{job: j, text: s.T.Get("not loaded")})
			continue
		case !known:
			rows = append(rows, row{job: j, text: "…"})
			continue
		}

		documents := s.documents(j)
		for i := range documents[:min(maxRows, len(documents))] {
			rows = append(rows, row{job: j, document: &documents[i]})
		}

		if n := len(documents); n > maxRows {
			rows = append(rows, row{
				job:  j,
				more: n - maxRows,
				last: &documents[maxRows-1],
				text: s.T.Get("%s more", s.T.Count(int64(n-maxRows))),
			})
		}
	}

	slices.SortStableFunc(rows, compareRows)

	return rows
}

// documents returns the documents of a job in the order of the rows.
func (s *screen) documents(j job) []document {
	documents := slices.Clone(s.loaded[j.id].documents)
	slices.SortStableFunc(documents, func(a, b document) int { return compareDocuments(&a, &b) })
	return documents
}

// compareRows keeps rows without a document behind those with one that is due.
func compareRows(a, b row) int {
	none := &document{}
	return compareDocuments(cmp.Or(a.document, a.last, none), cmp.Or(b.document, b.last, none))
}

func compareDocuments(a, b *document) int {
	switch {
	case a.holds != b.holds && a.holds:
		return -1
	case a.holds != b.holds:
		return 1
	case a.due != nil && b.due != nil:
		return cmp.Or(a.due.Compare(*b.due), cmp.Compare(a.name, b.name), cmp.Compare(a.route, b.route))
	case a.due != nil:
		return -1
	case b.due != nil:
		return 1
	}

	return 0
}

// jobRows returns the jobs that need no document.
func (s *screen) jobRows() (rows []row) {
	t := s.T
	for _, j := range s.jobs() {
		r := row{job: j, digit: j.digit}
		a, known := s.loaded[j.id]
		switch {
		case j.load != nil && (!j.grouped || session.IsUnsupported(a.err) || known && a.err == nil && len(a.documents) == 0):
			continue
		case j.grouped && !known:
			r.text = "…"
		case a.err != nil:
			r.text = t.Get("not loaded")
		case j.grouped && len(a.documents) >= maxDocuments:
			r.text = t.Count(maxDocuments) + "+"
		case j.grouped:
			r.text = t.Count(int64(len(a.documents)))
		case j.id == "explain" && s.stock != nil && s.IsSupervisor(): // others may count it next
			r.text = t.Get("%s on hand", t.Count(s.stock.onHand))
			r.note = t.Get("%s available", t.Count(s.stock.available))
			if n := s.stock.expired; n > 0 {
				r.warning = t.Get("%s expired", t.Count(n))
			}

		case j.id == "count" && s.stock != nil && s.stock.count != nil:
			by, _, _ := s.stock.count.Who()
			r.text, r.note = t.Get(
				"counted %s",
				t.TimeOrDay(s.stock.count.CreatedAt, s.Now()),
			), t.Get(
				"by %s",
				widget.Clean(by),
			)

		case j.id == "trace" || j.id == "serial":
			r.text = widget.Clean(s.Route.Query.Get("code"))
		}

		rows = append(rows, r)
	}

	return rows
}

// columns returns the columns of the list for a size.
func (s *screen) columns(size tui.Size) []widget.Column[row] {
	t := s.T
	late := func(r row) bool { return r.document != nil && !r.job.grouped && r.document.late(s.Now()) }
	quantity := func(r row) string {
		if r.document == nil {
			return ""
		}
		return t.Count(r.document.toGo)
	}

	if size.Class == tui.Narrow {
		return []widget.Column[row]{
			{Cell: s.narrowText},
			{Width: s.quantityWidth(), Right: true, Cell: quantity, Warn: late},
		}
	}

	columns := []widget.Column[row]{
		{Width: 2, Cell: func(r row) string { return strings.ToUpper(r.digit) }},
		{Width: 12, Cell: func(r row) string { return r.job.label }},
		{Cell: func(r row) string {
			if r.document != nil && size.Class == tui.Short { // no room for more
				return r.document.name
			}
			return r.name(t)
		}},
	}

	if size.Class == tui.Short {
		return append(columns, widget.Column[row]{Width: s.quantityWidth(), Right: true, Cell: quantity, Warn: late})
	}

	return append(columns, []widget.Column[row]{{Width: 16, Rank: 3, Cell: func(r row) string {
		if r.document == nil {
			return ""
		}
		return r.document.party
	}},
		{Width: 15, Right: true, Rank: 1, Cell: func(r row) string {
			if r.document == nil {
				return r.note
			}
			return t.Get("%s to go", quantity(r))
		}},
		{Width: 22, Rank: 2, Warn: late, Cell: func(r row) string {
			if r.document == nil {
				return r.warning
			}
			return dueText(t, r.document, s.Now())
		}}}...)
}

// name returns the name of the document, or what is known of the job.
func (r row) name(t *i18n.Translator) string {
	switch {
	case r.document == nil:
		return r.text
	case r.document.holds:
		return t.Get("%s (has it)", r.document.name)
	}

	return r.document.name
}

// narrowText names the document or the job after its key.
func (s *screen) narrowText(r row) string {
	width := 1
	for _, x := range s.list.Rows() {
		width = max(width, widget.Width(x.digit))
	}

	text := widget.Left(strings.ToUpper(r.digit), width) + " "
	switch {
	case r.document != nil:
		return text + r.document.name
	case r.more > 0:
		return text + r.text
	case r.text == "…":
		return text + r.job.label + " " + r.text
	}

	return text + r.job.label
}

// quantityWidth returns the width of the largest quantity.
func (s *screen) quantityWidth() int {
	width := 1
	for _, r := range s.list.Rows() {
		if r.document != nil {
			width = max(width, len(s.T.Count(r.document.toGo)))
		}
	}

	return width
}

// open opens the document of a row, or does its job.
func (s *screen) open(r row) tea.Cmd {
	if r.document != nil {
		return s.openDocument(r.document)
	}
	return s.run(r.job)
}

// run opens the job, or its only document, or asks which of several.
func (s *screen) run(j job) tea.Cmd {
	t := s.T
	if j.load == nil {
		return tui.Open(j.route)
	}

	documents := s.documents(j)

	return panel.Choose(j.question, documents, func(d *document) string {
		text := widget.Clean(d.name)
		if !j.grouped {
			text += "  " + t.Get("%s to go", t.Count(d.toGo))
		}
		if due := dueText(t, d, s.Now()); due != "" {
			text += "  " + due
		}
		return text
	}, s.openDocument)
}

// openDocument opens a document, which selects the line of the item.
func (s *screen) openDocument(d *document) tea.Cmd {
	s.site.SelectItem(d.route, s.item.ID)
	return tui.Open(d.route)
}

// whyNot says why a job on documents cannot run now, or returns "".
func (s *screen) whyNot(j job) string {
	a, known := s.loaded[j.id]
	switch {
	case j.load == nil || len(a.documents) > 0:
		return ""
	case session.IsUnsupported(a.err):
		return a.err.Error()
	case a.err != nil:
		return s.T.Get("Not loaded. Refresh (ctrl+r), then try again.")
	case !known:
		return s.T.Get("The list is still loading")
	}

	return j.none
}
