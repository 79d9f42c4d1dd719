package panel

// StoredDraft exports draft for tests.
type StoredDraft = draft
