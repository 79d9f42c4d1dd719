package balances

//go:generate go run bincard/tui/words/gen

// What the chart and the ways on say.
var (
	wordDays     = "%d days"
	wordGraph    = "%s at the end of each of %d days   ← → more days or fewer, tab movements"
	shortGraph   = "%s %d days, %s to %s"
	wordExtremes = "most %s, %s   least %s, %s"
	noChart      = "No chart: the service tells no movements of these days."
	helpChart    = "How much there was day by day, in the movements' place"
	helpTrace    = "Follow the lot or the piece of this movement"
	helpLow      = "What runs short: less available than the reorder point"
	helpEnding   = "Lots that end soon, the first to end first"
	noTrace      = "This movement names no lot and no piece"
	askTrace     = "Follow which?"
)
