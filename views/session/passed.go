package session

import (
	"maps"
	"slices"
	"sync"
	"time"

	"bincard/server/api"
)

// passedFor is how long a document that an operator passed over is offered last.
const passedFor = 15 * time.Minute

// passedDocuments are the documents that operators opened or were offered, with the time.
// One that is still open afterwards was passed over.
type passedDocuments struct {
	mu sync.Mutex
	at map[passedDocument]time.Time
}

type passedDocument struct {
	operator string
	id       api.ID
}

// Pass notes that the operator opened or was offered documents.
func (s *Site) Pass(ids ...api.ID) {
	operator, now, p := s.Operator(), s.opts.Now(), &s.passed
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at == nil {
		p.at = map[passedDocument]time.Time{}
	}

	maps.DeleteFunc(p.at, func(_ passedDocument, at time.Time) bool { return now.Sub(at) >= passedFor })
	for _, id := range ids {
		p.at[passedDocument{operator, id}] = now
	}
}

// Passed reports whether the operator opened or was offered one of the documents within the
// last minutes.
func (s *Site) Passed(ids ...api.ID) bool {
	operator, now, p := s.Operator(), s.opts.Now(), &s.passed
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(ids, func(id api.ID) bool {
		at, ok := p.at[passedDocument{operator, id}]
		return ok && now.Sub(at) < passedFor
	})
}
