package offline

// AcknowledgeDamage ends the alarm about damage, in a person's name. A copy of a damaged
// journal remains beside it. If there is no damage it ends the alarm about a copy: the node
// gets another id.
func (r *resolver) AcknowledgeDamage(by string) error {
	r.note.writing.Lock()
	defer r.note.writing.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || !r.note.hasDamage() && r.lease.copies == nil {
		return nil
	}

	if !r.note.hasDamage() {
		if err := r.saveHeader(*r.queue.Header); err != nil {
			return notSavedError(err)
		}
		r.cfg.Log.Warn("the copied directory has another node id now", "by", by, "id", r.queue.Header.Client, "copies",
			r.lease.copies)
		r.lease.copies = nil
		r.notify()
		return nil
	}

	if err := r.queue.RemoveDamage(r.now()); err != nil {
		return notSavedError(err)
	}
	if err := r.note.acknowledge(); err != nil {
		return notSavedError(err)
	}

	r.cfg.Log.Warn("damage of the journal was acknowledged", "by", by, "damage", r.note.damage.Damage, "missing",
		r.note.damage.Missing)
	r.note.damage = nil
	r.notify()

	return nil
}
