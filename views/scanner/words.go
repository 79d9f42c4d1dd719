package scanner

//go:generate go run bincard/tui/words/gen

// What the screen is called, asks and shows.
var (
	nameScreen   = "Scanner"
	askScan      = "Scan any code. Nothing is counted here"
	askScanShort = "scan any code"
	aboutScreen  = "Shows what the scanner sends, what it means, and what to change on the scanner if it is wrong."
	wordRaw      = "Raw"
	wordCame     = "Input"
	wordBarcode  = "Barcode"
	wordRead     = "Read as"
	wordBytes    = "Bytes"
	wordEarlier  = "Earlier"
	wordEnds     = "expires %s"
	wordBest     = "best before %s"
	wordNoPrefix = "unknown"
	allGood      = "nothing to fix"
)

// How a code came, and what it was read as.
var (
	cameSilent  = "scanner: %d characters, no end key"
	camePaste   = "paste: %d characters at once"
	cameSlow    = "keys: %d characters, %d ms each"
	cameTyped   = "typed by hand, %d ms per character"
	cameEnded   = "scanner: %d characters, ended by a key"
	readGS1     = "GS1 elements"
	readGTIN    = "GTIN %s"
	readLink    = "GS1 Digital Link"
	readNothing = "nothing: too much text"
	readPlain   = "plain text"
)

// What to set on the scanner.
var (
	setSuffix    = "No suffix. Set the scanner to send Enter (CR) after each code; otherwise every scan waits 50 ms."
	setPace      = "Too slow: this looks typed. Set the delay between characters to 0 ms; the limit is 35 ms."
	setPrefix    = "No symbology prefix. Set the scanner to send the AIM code ID (]C1, ]d2 …) so that GS1 codes are certain."
	setLayout    = "Wrong keyboard layout: the digits arrived as &é\"'(. Use the same layout on the scanner and this computer, or ALT mode."
	setCountry   = "Wrong keyboard layout: %q arrived instead of \"]\". Set the scanner's country to that of this computer."
	setCapitals  = "Upper and lower case are swapped. Turn off Caps Lock or the scanner's case conversion."
	setSeparator = "The separator arrived as the text %s. Set the scanner to send FNC1 as the character GS (hex 1D)."
	setLost      = "Is (%s) really %q? If not, the GS separator is missing: set the scanner to send FNC1 as GS (hex 1D)."
)

// What actions are called, and what they are for.
var (
	labelCopy  = "copy the code"
	shortCopy  = "copy"
	helpCopy   = "Copy the raw code with control characters visible"
	labelClear = "clear"
	helpClear  = "Clear the scans on this screen"
	nothingYet = "Nothing has been scanned yet"
)
