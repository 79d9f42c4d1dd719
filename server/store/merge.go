package store

import "bytes"

// A rowMerge merges the staged rows of a table with those of the base.
type rowMerge struct {
	t       *staged
	rows    []*change
	writes  int
	reverse bool
	stopped bool
	fn      func(key, value []byte) error
}

// base handles one row of the base, after the staged rows before it.
func (m *rowMerge) base(key, value []byte) error {
	for {
		c := m.peek()
		if c == nil {
			break
		}

		order := bytes.Compare(c.key, key)
		if m.reverse {
			order = -order
		}
		if order > 0 {
			break
		}

		m.pop()
		if err := m.emit(c.key, c.value); err != nil || order == 0 {
			return err
		}
	}

	if m.t.writes != m.writes {
		if c, ok := m.t.rows[string(key)]; ok {
			value = c.value
		}
	}

	return m.emit(key, value)
}

// rest emits the staged rows after the last one of the base.
func (m *rowMerge) rest() error {
	for c := m.peek(); c != nil; c = m.peek() {
		m.pop()
		if err := m.emit(c.key, c.value); err != nil {
			return err
		}
	}

	return nil
}

func (m *rowMerge) peek() *change {
	switch {
	case len(m.rows) == 0:
		return nil
	case m.reverse:
		return m.rows[len(m.rows)-1]
	}

	return m.rows[0]
}

func (m *rowMerge) pop() {
	if m.reverse {
		m.rows = m.rows[:len(m.rows)-1]
		return
	}
	m.rows = m.rows[1:]
}

func (m *rowMerge) emit(key, value []byte) error {
	if value == nil {
		return nil
	}
	err := m.fn(key, value)
	if err != nil {
		m.stopped = true
	}
	return err
}
