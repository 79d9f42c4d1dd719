package settings

//go:generate go run bincard/tui/words/gen

// What the settings are called, and ask.
var (
	nameSettings      = "Settings"
	aboutSettings     = "Appearance, sounds and connection of this terminal"
	fieldOperator     = "Operator"
	hintOperator      = "your name"
	fieldTheme        = "Theme"
	fieldSounds       = "Sounds"
	wordOn            = "on"
	wordOff           = "off"
	fieldStart        = "Start at"
	startLeft         = "last screen"
	startHome         = "home"
	fieldLock         = "Auto-lock"
	hintLock          = "minutes; empty: never"
	fieldService      = "Service"
	hintService       = "empty: this machine"
	fieldOrganization = "Organization"
	hintOrganization  = "its ID"
	fieldOffline      = "Offline"
	offlineKeeps      = "on: work is saved and synced later"
	offlineStops      = "off: needs a connection"
	fieldKey          = "Key"
	noKey             = "none"
	restOperators     = "Operators"
	restAnybody       = "no sign-in required; add operators with bincard operator add"
	restKeys          = "Keys"
	restFile          = "File"
)

// What actions are called, and what they are for.
var (
	labelSave    = "save"
	helpSave     = "Save these settings"
	labelTest    = "test connection"
	shortTest    = "test"
	helpTest     = "Test the connection without saving"
	labelUndo    = "undo"
	helpUndo     = "Undo unsaved changes"
	labelScanner = "scanner"
	helpScanner  = "Test the scanner"
	labelMake    = "create"
	labelConnect = "connect"
	helpConnect  = "Connect to a service that runs elsewhere"
	labelChoose  = "back"
	shortChoose  = "back"
	labelCompany = "create a company"
	shortCompany = "company"
	helpCompany  = "Create a company with its stock on this machine"
	labelDemo    = "open the demo"
	shortDemo    = "demo"
	helpDemo     = "Try everything in a small sample warehouse"
)

// What is said of what was set.
var (
	takesNoScan     = "This field does not accept scans"
	keptWords       = "Settings saved"
	notKept         = "Settings cannot be saved here"
	waitAnswer      = "Wait for the answer"
	nothingChanged  = "There are no changes"
	noConnection    = "The ledger is on this machine. There is no connection to test"
	badURL          = "use a form like https://stock.example.com"
	badUser         = "remove the name and password; the key goes below"
	badOrganization = "an ID has 36 characters"
	badLock         = "at most 1440 minutes"
	connectedBare   = "Connected. The service does not identify keys; all its jobs are available."
	connectedWords  = "Connected to %s, %s stock"
	connectedKey    = ", key %s"
	connectedLacks  = ". Missing permissions: %s"
)

// What an empty machine says.
var (
	nameWelcome   = "Welcome"
	titleCompany  = "Welcome › Create a company"
	titleConnect  = "Welcome › Connect to a service"
	askBegin      = "This machine has no data yet. How do you want to start?"
	askBeginShort = "How to start?"
	chooseFirst   = "Choose 1, 2 or 3 first"
	wayCompany    = "Create a company"
	aboutCompany  = "its stock is stored on this machine; others can join later"
	wayDemo       = "Open the demo"
	aboutDemo     = "a small sample warehouse with made-up data"
	wayConnect    = "Connect to a service"
	aboutConnect  = "your company already has one: enter its address, ID and a key"
	fieldCompany  = "Company"
	fieldPlace    = "Location"
	fieldCalled   = "Name"
	hintCalled    = "Main warehouse"
	fieldYou      = "Operator"
	doingCompany  = "Creating the company"
	doingDemo     = "Opening the demo"
	doingConnect  = "Connecting"
	doingTest     = "Testing"
	notOffered    = "This is not available here"
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
	plainUnsaved = "Unsaved changes: type save to save them"
	plainNewKey  = "a new key, not saved yet"
	plainNone    = "none"
	plainAsk     = "%s (now %s). New value, or - for none"
	plainUnfit   = "Not valid. Try again"
)
