package budget

// Screens: random documents in random states are booked on the real screens.
var (
	RecordedScans = Budget{300, 2000}
)

// Properties checked by package rapid.
var (
	Property = Budget{100, 1000} // takes less than a millisecond a case
)
