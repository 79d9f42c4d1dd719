package export

//go:generate go run bincard/tui/words/gen

// What the desk asks.
var (
	askFormat = "Export %s as"
	askPath   = "Export to which file?"
)

// titles are the formats as they are offered.
var titles = map[Format]string{
	CSV:       "CSV",
	Excel:     "CSV for Excel",
	JSONLines: "JSON, one object per line",
}

// What actions are for.
var (
	helpExport = "Export all matching rows as CSV, CSV for Excel or JSON lines"
	helpStop   = "Stop the export. No file is written"
	helpGoOn   = "Resume the export where it stopped"
	helpDrop   = "Discard the unfinished file"
)

// What is said.
var (
	noFiles      = "This terminal cannot write files. Use \"bincard export\""
	noName       = "enter a file name"
	thereAlready = "%s already exists: choose another name"
	noFolder     = "folder %s does not exist"
	writingWords = "writing … %s rows   esc stops"
	stoppedWords = "Stopped. No file was written"
	writingShort = "… %s rows"
	haltedShort  = "F10 resumes (%s)"
	haltedWords  = "The export stopped at %s rows. F10 resumes, esc discards it"
	failedWords  = "%s The export stopped at %s rows. F10 resumes, esc discards it."
	givenWords   = "Discarded. No file was written"
	writtenWords = "Wrote %s to %s"
	leavingWords = "An export is in progress. Esc stops it."
	oneRow       = "1 row"
	rowsWords    = "%s rows"
)

// What is said.
var (
	saidStopWriting      = "stop export"
	saidGoOnWriting      = "resume export"
	saidGiveUp           = "discard"
	saidCopyThePath      = "copy the path"
	saidIsADirectoryName = "%s is a directory; name a file in it"
	saidTheFileCannotBe  = "Cannot write the file: %w. Choose another folder."
)
