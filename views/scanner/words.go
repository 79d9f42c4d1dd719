package scanner

//go:generate go run bincard/tui/words/gen

// What the screen is called, asks and shows.
var (
	nameScreen   = "Scanner"
	askScan      = "Scan any code: nothing is counted here"
	askScanShort = "scan any code"
	aboutScreen  = "What the scanner sends is shown here: every character, what it means, and what to set on the scanner if it is wrong."
	wordRaw      = "Raw"
	wordCame     = "Came as"
	wordBarcode  = "Barcode"
	wordRead     = "Read as"
	wordBytes    = "Bytes"
	wordEarlier  = "Earlier"
	wordEnds     = "ends %s"
	wordBest     = "best before %s"
	wordNoPrefix = "not told"
	allGood      = "nothing is to be set"
)

// How a code came, and what it was read as.
var (
	cameSilent  = "scanner: %d characters, no key at the end"
	camePaste   = "paste: %d characters at once"
	cameSlow    = "keys: %d characters, %d ms each"
	cameTyped   = "typed by hand, %d ms a character"
	cameEnded   = "scanner: %d characters, ended by a key"
	readGS1     = "GS1 elements"
	readGTIN    = "GTIN %s"
	readLink    = "GS1 Digital Link"
	readNothing = "nothing: too much text"
	readPlain   = "plain text"
)

// What to set on the scanner.
var (
	setSuffix    = "No suffix: set the scanner to send Enter (CR) after each code. Without it every scan waits for 50 ms of silence."
	setPace      = "Too slow: this looks typed. Set the delay between characters to 0 ms; up to 35 ms is taken as a scanner."
	setPrefix    = "No symbology is told: set the scanner to send the AIM code ID (]C1, ]d2 …), then GS1 codes are certain."
	setLayout    = "Keyboard layout: the digits came as &é\"'(. Set the scanner and this computer to the same layout, or the scanner to ALT mode."
	setCountry   = "Keyboard layout: %q came for \"]\". Set the scanner's country to that of this computer."
	setCapitals  = "Capitals are turned round: switch Caps Lock off, or the scanner's case conversion."
	setSeparator = "The separator came as the text %s. Set the scanner to send FNC1 as the character GS (hex 1D)."
	setLost      = "Is (%s) really %q? If not, the separator GS is lost: set the scanner to send FNC1 as GS (hex 1D)."
)

// What actions are called, and what they are for.
var (
	labelCopy  = "copy the code"
	shortCopy  = "copy"
	helpCopy   = "Copy the code as it came, control characters made visible"
	labelClear = "clear"
	helpClear  = "Forget what was scanned here"
	nothingYet = "Nothing was scanned yet"
)
