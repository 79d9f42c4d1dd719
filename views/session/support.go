package session

import (
	"errors"
	"strings"
	"sync"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// support knows which operations the service supports. It learns that from the answers
// to past calls.
type support struct {
	t *i18n.Translator

	mu            sync.Mutex
	supported     map[string]bool   // by operation ID
	notFoundPaths map[string]string // operation ID: path of a document that was not found
}

func newSupport(t *i18n.Translator) support {
	return support{t: t, supported: map[string]bool{}, notFoundPaths: map[string]string{}}
}

// Supports reports whether the service is expected to support an operation. Past calls
// decide. An operation that was not called counts as supported, unless it is an
// extension write and the service lacks GetAccess.
func (s *support) Supports(spec *api.Spec) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	supported, tried := s.supported[spec.ID]
	if tried {
		return supported
	}
	access, asked := s.supported[api.GetAccess.ID]
	return !spec.Extension || !spec.Writes() || !asked || access
}

// checkSupport returns an UnsupportedError if the service does not support an operation.
func (s *support) checkSupport(spec *api.Spec) error {
	if s.Supports(spec) {
		return nil
	}
	return &UnsupportedError{Spec: spec, t: s.t}
}

// tried reports whether it is known if the service supports an operation.
func (s *support) tried(spec *api.Spec) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, tried := s.supported[spec.ID]
	return tried
}

// recordSupport records whether the service supports an operation.
func (s *support) recordSupport(spec *api.Spec, supported bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.supported[spec.ID] = supported
}

// recordUnsupported records that the service does not support an operation, and
// returns the UnsupportedError. If the answer was NOT_FOUND (notFound), only the
// document may be missing: the operation counts as unsupported once a second document
// is not found either. It never does once it has succeeded; recordUnsupported then
// returns nil.
func (s *support) recordUnsupported(spec *api.Spec, input any, notFound bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if notFound && s.supported[spec.ID] {
		return nil
	}

	if path, _, _, err := spec.Encode(input); err == nil && notFound && strings.Contains(spec.Path, "{") {
		before, seen := s.notFoundPaths[spec.ID]
		if !seen || before == path {
			s.notFoundPaths[spec.ID] = path
			return &UnsupportedError{Spec: spec, Uncertain: true, t: s.t}
		}
	}

	s.supported[spec.ID] = false

	return &UnsupportedError{Spec: spec, t: s.t}
}

// An UnsupportedError reports that the service does not support an operation. Screens
// work without it.
type UnsupportedError struct {
	Spec *api.Spec
	// Uncertain is set if it may be only the document that does not exist.
	Uncertain bool

	t *i18n.Translator
}

func (e *UnsupportedError) Error() string {
	if e.Uncertain {
		return e.t.Get("Not found. The service does not support this (%s), or no longer has this document.",
			e.t.Message(e.Spec.Summary))
	}
	return e.t.Get("This service does not support that (%s).", e.t.Message(e.Spec.Summary))
}

// IsUnsupported reports whether err is an UnsupportedError.
func IsUnsupported(err error) bool {
	var m *UnsupportedError
	return errors.As(err, &m)
}

// meansUnsupported reports whether err means that the service does not have the
// operation. A NOT_FOUND that names a resource is about that resource.
func meansUnsupported(spec *api.Spec, err error) bool {
	var e *api.Error
	if !errors.As(err, &e) {
		return false
	}

	switch e.Code {
	case api.MethodNotAllowed, api.NotImplemented:
		return true
	case api.NotFound:
		return spec.Extension && e.Details["resource"] == nil
	}

	return false
}
