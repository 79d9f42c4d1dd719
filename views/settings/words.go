package settings

//go:generate go run bincard/tui/words/gen

// What the settings are called, and ask.
var (
	nameSettings      = "Settings"
	aboutSettings     = "How this terminal looks, sounds, and where its stock is kept"
	fieldOperator     = "Operator"
	hintOperator      = "your name"
	fieldTheme        = "Theme"
	fieldSounds       = "Sounds"
	wordOn            = "on"
	wordOff           = "off"
	fieldStart        = "Starts"
	startLeft         = "where one left"
	startHome         = "at home"
	fieldLock         = "Locks after"
	hintLock          = "minutes; empty: never"
	fieldService      = "Service"
	hintService       = "empty: on this machine"
	fieldOrganization = "Organization"
	hintOrganization  = "its id"
	fieldOffline      = "Offline"
	offlineKeeps      = "on: work goes on, and is sent later"
	offlineStops      = "off: nothing without the service"
	fieldKey          = "Key"
	noKey             = "none"
	restOperators     = "Log on"
	restAnybody       = "anybody works here; bincard operator add lets people log on"
	restKeys          = "Keys"
	restFile          = "Kept in"
)

// What actions are called, and what they are for.
var (
	labelSave    = "save"
	helpSave     = "Keep what is set here"
	labelTest    = "test connection"
	shortTest    = "test"
	helpTest     = "Ask the service who one is there, without keeping anything"
	labelUndo    = "undo"
	helpUndo     = "Set everything back to what is kept"
	labelScanner = "scanner"
	helpScanner  = "Try out the scanner"
	labelMake    = "make it"
	labelConnect = "connect"
	helpConnect  = "Work against a service that runs elsewhere"
	labelChoose  = "choose again"
	shortChoose  = "again"
	labelCompany = "make a company"
	shortCompany = "company"
	helpCompany  = "A new company with its stock on this machine"
	labelDemo    = "open the demo"
	shortDemo    = "demo"
	helpDemo     = "A small made-up warehouse to try everything on"
)

// What is said of what was set.
var (
	takesNoScan     = "This field takes no scan"
	keptWords       = "Settings kept"
	notKept         = "These settings cannot be kept here"
	waitAnswer      = "Wait for the answer"
	nothingChanged  = "Nothing is changed"
	noConnection    = "The ledger is on this machine: there is no connection to test"
	badURL          = "write it like https://stock.example.com"
	badUser         = "take the name and password out; the key goes below"
	badOrganization = "an id of 36 characters"
	badLock         = "minutes, at most a day"
	connectedBare   = "Connected. The service does not tell who you are; all jobs it offers work."
	connectedWords  = "Connected to %s, %s stock"
	connectedKey    = ", key %s"
	connectedLacks  = ". The key lacks: %s"
)

// What an empty machine says.
var (
	nameWelcome   = "Welcome"
	titleCompany  = "Welcome › Make a company"
	titleConnect  = "Welcome › Connect to a service"
	askBegin      = "This machine holds no stock yet. How shall it begin?"
	askBeginShort = "How to begin?"
	chooseFirst   = "Choose 1, 2 or 3 first"
	wayCompany    = "Make a company here"
	aboutCompany  = "its stock lives on this machine; others can join later"
	wayDemo       = "Open the demo"
	aboutDemo     = "a small made-up warehouse; nothing in it is real"
	wayConnect    = "Connect to a service"
	aboutConnect  = "your company has one: you need its address, id and a key"
	fieldCompany  = "Company"
	fieldPlace    = "Place"
	fieldCalled   = "Called"
	hintCalled    = "Main warehouse"
	fieldYou      = "You"
	doingCompany  = "Making the company"
	doingDemo     = "Opening the demo"
	doingConnect  = "Connecting"
	doingTest     = "Asking"
	notOffered    = "This is not offered here"
	waitFor       = "%s: wait for the answer"
)

// What stands in an empty field.
var (
	hintCompany = "Harbour Goods"
	hintWh      = "WH-1"
	hintPerson  = "Ada"
	hintURL     = "https://stock.example.com"
)

// What is said of the settings in lines.
var (
	plainChange  = "number to change, or save"
	plainNoun    = "settings"
	plainUnsaved = "Changed and not saved yet: save keeps it"
	plainNewKey  = "a new one, not saved yet"
	plainNone    = "none"
	plainAsk     = "%s (now %s). A new one, or - for none"
	plainUnfit   = "That does not fit here: type it anew"
)
