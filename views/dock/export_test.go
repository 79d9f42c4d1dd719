package dock

// StoredDraft exports draft for tests.
type StoredDraft = draft
