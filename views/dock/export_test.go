package dock

// StoredDraft is the type of the draft of a count.
type StoredDraft = draft
