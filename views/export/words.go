package export

//go:generate go run bincard/tui/words/gen

// What the desk asks.
var (
	askFormat = "Write %s as"
	askPath   = "Into which file?"
)

// titles are the formats as they are offered.
var titles = map[Format]string{
	CSV:       "CSV",
	Excel:     "CSV for Excel",
	JSONLines: "JSON, one object a line",
}

// What actions are for.
var (
	helpExport = "Write all rows that fit into a file: CSV, CSV for Excel or JSON lines"
	helpStop   = "Stop writing; no file is left"
	helpGoOn   = "Go on with the file where it stopped"
	helpDrop   = "Give the file up; nothing is left of it"
)

// What is said.
var (
	noFiles      = "This terminal writes no files: take the report with \"bincard export\""
	noName       = "name the file"
	thereAlready = "%s is there already: choose another name"
	noFolder     = "there is no folder %s"
	writingWords = "writing … %s rows   esc stops"
	stoppedWords = "Stopped: no file was written"
	writingShort = "… %s rows"
	haltedShort  = "F10 goes on (%s)"
	haltedWords  = "The file stopped at %s rows: F10 goes on, esc gives it up"
	failedWords  = "%s The file is not written yet: %s rows are. F10 goes on, esc gives it up."
	givenWords   = "Given up: no file was written"
	writtenWords = "Wrote %s to %s"
	leavingWords = "A file is being written: esc stops it."
	oneRow       = "1 row"
	rowsWords    = "%s rows"
)

// What is said.
var (
	saidStopWriting      = "stop writing"
	saidGoOnWriting      = "go on writing"
	saidGiveUp           = "give up"
	saidCopyThePath      = "copy the path"
	saidIsADirectoryName = "%s is a directory; name a file in it"
	saidTheFileCannotBe  = "The file cannot be written: %w. Choose another place for it."
)
