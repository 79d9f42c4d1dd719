package printlabels

import (
	"time"

	"bincard/tui"
	"bincard/tui/label/printing"
	"bincard/tui/widget"
	"bincard/views/labels"
	"bincard/views/listscreen"
)

// queueColumns returns the columns of the label queue for a size.
func queueColumns(env tui.Env, size tui.Size) []widget.Column[*printing.Job] {
	t := env.T

	type col = widget.Column[*printing.Job]
	title := col{Title: t.Get("label"), Sort: "label", Cell: func(j *printing.Job) string { return j.Title }}
	copies := col{Title: t.Get("labels"), Width: 9, Number: func(j *printing.Job) int64 { return int64(j.Copies) }}
	state := col{
		Title: t.Get("state"),
		Width: 18,
		Cell:  func(j *printing.Job) string { return stateMark(j) + " " + j.State.Title(t) },
		Warn:  needsPerson,
	}

	switch size.Class {
	case tui.Narrow:
		return []col{{Width: 1, Cell: stateMark, Warn: needsPerson}, title}
	case tui.Short:
		return []col{
			{Width: 1, Cell: stateMark, Warn: needsPerson},
			title,
			{Width: 3, Number: copies.Number},
			{Width: 10, Cell: func(j *printing.Job) string { return j.Printer }},
		}
	}

	return []col{
		title,
		copies,
		state,
		{Title: t.Get("printer"), Width: 12, Sort: "printer", Cell: func(j *printing.Job) string { return j.Printer }},
		{
			Title: t.Get("when"),
			Width: 14,
			Rank:  1,
			Sort:  "when",
			Cell:  func(j *printing.Job) string { return t.TimeOrDay(j.Created, env.Now()) },
			Time:  func(j *printing.Job) *time.Time { return &j.Created },
		},
		{Title: t.Get("who"), Width: 10, Rank: 2, Cell: func(j *printing.Job) string { return j.Operator }},
	}
}

// stateMark is the state of a label in one character.
func stateMark(j *printing.Job) string {
	switch j.State {
	case printing.Printed:
		return widget.GlyphOK
	case printing.MaybePrinted:
		return widget.GlyphUnconfirmed
	case printing.Canceled:
		return "-"
	}

	return widget.GlyphPending
}

// needsPerson reports whether a label is not printed until somebody does something.
func needsPerson(j *printing.Job) bool {
	return j.State == printing.MaybePrinted || j.State == printing.Queued && j.Reason != ""
}

// jobDetail says all that is known of a label. What needs a person comes first.
func jobDetail(env tui.Env, j *printing.Job) string {
	t := env.T
	return listscreen.JoinParts(j.State.Title(t), t.Message(j.Reason), j.Title, labels.CountText(t, int64(j.Copies)),
		j.Printer, t.TimeOrDay(j.Created, env.Now()), j.Operator)
}

// detailHeight is how many lines below the list describe the selected label, by class.
func detailHeight(class tui.Class) int {
	if class == tui.Narrow {
		return 5
	}
	return 2
}
