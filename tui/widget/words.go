package widget

//go:generate go run bincard/tui/words/gen

// How days and spans of time are said.
var (
	dayYesterday     = "yesterday"
	dayToday         = "today"
	dayTomorrow      = "tomorrow"
	spanMinutes      = "%s min"
	spanHours        = "%s h"
	spanHoursMinutes = "%s h %s m"
	spanDays         = "%s days"
)

// What is wrong with a field of a form.
var (
	fieldNeeded   = "needed"
	fieldNoNumber = "%q is not a whole number"
	fieldNoDate   = "%q is not a date: use 2027-03-31"
)
