package paging

//go:generate go run bincard/tui/words/gen

// What is said.
var (
	saidF5TriesAgainShown = "%s F5 retries (data is %s old)"
	saidF5TriesAgain      = "%s F5 retries"
	saidLoading           = "loading …"
	saidLoadingShownIsOld = "loading … data is %s old"
	saidNo                = "no %s"
	saidOf                = "%s of %s%s %s"
)
