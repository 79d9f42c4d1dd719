package panel

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/views/session"
	"bincard/views/submit"
)

// changePage is how many movements of one millisecond are searched for a document.
const changePage = 100

// A DocumentKind describes a kind of document to its DocumentScreen.
type DocumentKind[T any] struct {
	Route string // first segment of the route: "receive"
	Job   string // name of the job: "Receive"
	Word  string // for a document that is not loaded: "Delivery"
	Find  func(ctx context.Context, ref string) ([]T, error)
	// Exact means that Find returns exactly what the route names: no ID of it, but all of them.
	Exact bool
	// IDs returns the IDs of the documents that doc consists of, open ones first.
	IDs    func(doc *T) []api.ID
	Name   func(doc *T) string
	IsOpen func(doc *T) bool // reports whether work is left
	// Closed returns why nothing can be counted anymore, or "", and a short form of it
	// or the status.
	Closed   func(doc *T) (reason, short string)
	Location func(doc *T) session.Location // where its items are handled; may be nil
	Items    func(doc *T) []ItemRef
	// Sort sorts the lines of a document to be taken from shelves; nil keeps their order.
	Sort func(doc *T, compare func(product, other api.ID) int)
	// Changed returns the ID of the document of doc whose last change closed it, and when: the
	// zero ID if that is not known.
	Changed func(doc *T) (id api.ID, at time.Time)
	// Open returns the documents with work left at a location, the most urgent first. If it
	// is nil, a finished document does not offer the next one. Ready reports whether one can
	// be worked on now, and Due returns its due date; both may be nil.
	Open  func(ctx context.Context, at session.Location) ([]T, error)
	Ready func(doc *T) bool
	Due   func(doc *T, zone *time.Location) *time.Time
	// RestWaits reports whether a part of a document is done and the rest waits for stock.
	// It may be nil.
	RestWaits func(doc *T) bool
	// Question asks which of several documents a reference means. Choice describes one
	// of them in that list.
	Question func(ref string) string
	Choice   func(doc *T) string
}

// FindForJob returns the document that a job names: the only open one, or the first if
// none is open. It fails if several are open, or if nothing can be counted.
func (k *DocumentKind[T]) FindForJob(ctx context.Context, job *submit.Job) (*T, error) {
	docs, err := k.Find(ctx, job.Ref)
	if err != nil {
		return nil, err
	}

	if open := k.openDocs(docs); len(open) > 1 {
		text := job.Site.T().Get("There are %d open documents named %s. Use one of these ids:", len(open), job.Ref)
		for i := range open {
			text += "\n  " + k.IDs(&open[i])[0].String() + "  " + k.Choice(&open[i])
		}
		return nil, errors.New(text)
	}

	if reason, _ := k.Closed(&docs[0]); reason != "" && !job.MayBeBooked {
		if change := k.lastChange(ctx, job.Site, &docs[0]); change.text != "" {
			reason = job.Site.T().Get("%s Last change: %s.", reason, change.text)
		}
		return nil, errors.New(reason)
	}

	return &docs[0], nil
}

// A documentChange says in text who changed a closed document last, and when: "" if that is not
// known.
type documentChange struct {
	id   api.ID
	at   time.Time
	text string
}

// changeWait is how long a document waits for the text of its last change.
const changeWait = 2 * time.Second

// lastChange reads the last change of a closed document. The zero change is that of an open one.
func (k *DocumentKind[T]) lastChange(ctx context.Context, site *session.Site, doc *T) documentChange {
	if reason, _ := k.Closed(doc); reason == "" || site.Denied(api.ReportMovements.Spec) != "" {
		return documentChange{}
	}

	id, at := k.Changed(doc)
	if id == api.NoID {
		return documentChange{}
	}

	ctx, cancel := context.WithTimeout(ctx, changeWait)
	defer cancel()
	limit, until := int64(changePage), at.Add(time.Millisecond)
	list, err := session.Call(ctx, site, api.ReportMovements, api.ReportMovementsInput{
		CreatedFrom: &at, CreatedTo: &until, Limit: &limit})
	i := slices.IndexFunc(list.Items, func(m api.MovementRow) bool { return m.DocumentID == id })
	if err != nil || i < 0 {
		return documentChange{id: id, at: at}
	}

	operator, _, device := list.Items[i].Who()

	return documentChange{id, at, submit.ChangeText(site.T(), cmp.Or(operator, device), at)}
}

// isOf reports whether it is the last change of a document as it is now.
func (c documentChange) isOf(id api.ID, at time.Time) bool { return c.id == id && c.at.Equal(at) }

// openDocs returns the open documents, which come first.
func (k *DocumentKind[T]) openDocs(docs []T) []T {
	n := 0
	for n < len(docs) && k.IsOpen(&docs[n]) {
		n++
	}
	return docs[:n]
}

// An ItemRef is a product of a document. Ref is its embedded reference, which may be
// nil.
type ItemRef struct {
	ID  api.ID
	Ref *api.ProductRef
}
