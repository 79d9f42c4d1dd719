package scan

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// finalLetters are the letters that end the sequences of arrows, home and end.
const finalLetters = "ABCDHF"

// cursorKeys are the keys of final letters: alone, with shift, with ctrl, with both.
var cursorKeys = map[byte][4]tea.KeyType{
	'A': {tea.KeyUp, tea.KeyShiftUp, tea.KeyCtrlUp, tea.KeyCtrlShiftUp},
	'B': {tea.KeyDown, tea.KeyShiftDown, tea.KeyCtrlDown, tea.KeyCtrlShiftDown},
	'C': {tea.KeyRight, tea.KeyShiftRight, tea.KeyCtrlRight, tea.KeyCtrlShiftRight},
	'D': {tea.KeyLeft, tea.KeyShiftLeft, tea.KeyCtrlLeft, tea.KeyCtrlShiftLeft},
	'H': {tea.KeyHome, tea.KeyShiftHome, tea.KeyCtrlHome, tea.KeyCtrlShiftHome},
	'F': {tea.KeyEnd, tea.KeyShiftEnd, tea.KeyCtrlEnd, tea.KeyCtrlShiftEnd},
}

// modifiers are xterm's modifiers of a sequence: the column of cursorKeys, and alt.
var modifiers = map[string]struct {
	column int
	alt    bool
}{
	"": {0, false}, "1": {0, false}, "2": {1, false}, "3": {0, true}, "4": {1, true},
	"5": {2, false}, "6": {3, false}, "7": {2, true}, "8": {3, true},
}

// numberedKeys are the keys that end with ~.
var numberedKeys = map[string]tea.KeyType{
	"1": tea.KeyHome, "2": tea.KeyInsert, "3": tea.KeyDelete, "4": tea.KeyEnd,
	"5": tea.KeyPgUp, "6": tea.KeyPgDown, "7": tea.KeyHome, "8": tea.KeyEnd,
	"11": tea.KeyF1, "12": tea.KeyF2, "13": tea.KeyF3, "14": tea.KeyF4, "15": tea.KeyF5,
	"17": tea.KeyF6, "18": tea.KeyF7, "19": tea.KeyF8, "20": tea.KeyF9, "21": tea.KeyF10,
	"23": tea.KeyF11, "24": tea.KeyF12,
}

// pageKeys are the numbered keys that have a form with ctrl.
var pageKeys = map[tea.KeyType]tea.KeyType{
	tea.KeyPgUp: tea.KeyCtrlPgUp, tea.KeyPgDown: tea.KeyCtrlPgDown,
}

// functionKeys are the keys after O, and after [1; with a modifier.
var functionKeys = map[byte]tea.KeyType{
	'P': tea.KeyF1, 'Q': tea.KeyF2, 'R': tea.KeyF3, 'S': tea.KeyF4,
}

// parseSequence returns the key of a sequence without its esc.
func parseSequence(sequence string) (tea.KeyMsg, bool) {
	if sequence == "[Z" {
		return tea.KeyMsg{Type: tea.KeyShiftTab}, true
	}

	final := sequence[len(sequence)-1]
	number, modifier, _ := strings.Cut(sequence[1:len(sequence)-1], ";")
	m, ok := modifiers[modifier]
	if !ok {
		return tea.KeyMsg{}, false
	}

	if final == '~' {
		t, ok := numberedKeys[number]
		if with, has := pageKeys[t]; has && m.column == 2 {
			t = with
		}
		return tea.KeyMsg{Type: t, Alt: m.alt}, ok
	}

	if number != "" && number != "1" {
		return tea.KeyMsg{}, false
	}
	if columns, ok := cursorKeys[final]; ok {
		return tea.KeyMsg{Type: columns[m.column], Alt: m.alt}, true
	}

	t, ok := functionKeys[final]

	return tea.KeyMsg{Type: t, Alt: m.alt}, ok
}
