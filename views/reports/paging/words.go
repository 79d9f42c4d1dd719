package paging

//go:generate go run bincard/tui/words/gen

// What is said.
var (
	saidF5TriesAgainShown = "%s F5 tries again (shown is %s old)"
	saidF5TriesAgain      = "%s F5 tries again"
	saidLoading           = "loading …"
	saidLoadingShownIsOld = "loading … shown is %s old"
	saidNo                = "no %s"
	saidOf                = "%s of %s%s %s"
)
