package names

import (
	"net/url"
	"strings"

	"bincard/tui/i18n"
)

// draftJobs are the titles of the screens whose work is saved under routes that begin with a
// segment.
var draftJobs = i18n.TableOf("draft", map[string]string{
	"receive":          "Receive",
	"ship":             "Ship",
	"receive-transfer": "Receive TR",
	"fulfill":          "Fulfill",
	"pick":             "Pick",
	"adjust":           "Adjust",
	"move":             "Move",
	"return":           "Return",
	"kit":              "Kits",
	"count":            "Count",
	"reservations":     "Reservations",
})

// draftForms has the names of the forms of new things, by their routes.
var draftForms = i18n.Texts[string]{
	"receive/new":       "Add a delivery",
	"ship/new":          "Plan a transfer",
	"fulfill/new":       "New order",
	"reservations/new":  "Reserve stock",
	"products/new":      "Create a product",
	"products/shelf":    "Shelf of a product",
	"products/correct":  "Correct a product",
	"locations/new":     "Create a location",
	"locations/correct": "Correct a location",
	"operators/new":     "Add an operator",
}

// Draft returns the name of the work saved under a route: its job in the language of t,
// then its subject. saved is the name in the draft, or "".
func Draft(t *i18n.Translator, route, saved string) string {
	job, about := draftParts(t, route, saved)
	switch {
	case job == "":
		return about
	case about == "":
		return job
	}

	return job + " › " + about
}

// DraftShort is Draft without the job if the work is on a document.
func DraftShort(t *i18n.Translator, route, saved string) string {
	job, rest, _ := strings.Cut(route, "/")
	switch job {
	case "receive", "ship", "receive-transfer", "fulfill", "pick":
		if _, about := draftParts(t, route, saved); about != "" && !strings.HasPrefix(rest, "new") {
			return about
		}
	}

	return Draft(t, route, saved)
}

func draftParts(t *i18n.Translator, route, saved string) (job, about string) {
	path, query, _ := strings.Cut(route, "?")
	first, rest, _ := strings.Cut(path, "/")
	if form, ok := draftForms[path]; ok {
		if saved != "" {
			return t.Get(form), formSubject(path, saved)
		}
		if values, err := url.ParseQuery(query); err == nil {
			about = values.Get("sku")
		}
		return t.Get(form), about
	}

	if job = draftJobs.Get(t, first); job == "" {
		return "", route
	}
	if _, tail, ok := strings.Cut(saved, "›"); ok {
		return job, strings.TrimSpace(tail)
	}
	if text, err := url.PathUnescape(rest); err == nil {
		return job, text
	}

	return job, rest
}

// formSubject returns what the form of something new is about, without the words around it,
// which are in the language of who saved it.
func formSubject(form, saved string) string {
	separator := "  " // "Receive › new delivery  OAT-1L"
	if form == "products/new" || form == "locations/new" {
		separator = " " // "product OAT-1L"
	}
	_, subject, _ := strings.Cut(saved, separator)
	return strings.TrimSpace(subject)
}
