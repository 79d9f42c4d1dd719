package testenv

// Screens: random documents in random states are booked on the real screens. A case takes
// about 10 milliseconds, and a case of a count 15. The first three need at least 200 cases
// to record every kind of booking.
var (
	RecordedScans         = Budget{208, 2000}
	RecordedOfflineScans  = Budget{208, 1000}
	RecordedPlainScans    = Budget{208, 1000}
	RecordedCounts        = Budget{50, 500}
	RecordedOfflineCounts = Budget{25, 250}
	RecordedPlainCounts   = Budget{25, 250}
	CountEvents           = Budget{100, 2_000} // 10 to 50 events
)

// Properties checked by package rapid.
var (
	Property = Budget{100, 1000} // takes less than a millisecond a case
)

// Stories of the whole program, with the cost of a case.
var (
	ClusterSoak      = Budget{0, 8}    // kills, 1.5 s apart; from 50 on by more clients
	ServiceSoak      = Budget{0, 5}    // seconds; from 60 on by more clients
	ClusterHistory   = Budget{15, 400} // requests around each of four faults; 3 ms
	DamagedJournal   = Budget{0, 1}    // 10 s
	FloorDay         = Budget{0, 300}  // orders; 100 ms
	FullDisk         = Budget{0, 1}    // 10 s
	GeneratedClients = Budget{0, 1}    // 15 s, and a minute to build the generator
	InboxKills       = Budget{1, 3}    // 1 s
	JobsElsewhere    = Budget{0, 1}    // the five jobs at other sizes and stores; 15 s
	KilledNumbering  = Budget{0, 16}   // rounds of four programs; 300 ms
	LibreOffice      = Budget{0, 1}    // 20 s, if it is installed
	ReturnedMemory   = Budget{0, 1}    // 10 s
	SharedStores     = Budget{0, 1}    // of a ledger and of a node; 10 s
	SiteBusyDay      = Budget{0, 400}  // operations; 100 ms
)

// Sites: the real program at a site whose connection is down for a while.
var (
	SiteDays    = Budget{1, 3} // services; takes 10 s
	MirrorKills = Budget{1, 4} // takes 1 s a kill
)

// The offline node.
var (
	LocalViews    = Budget{20, 1000} // random histories; takes 7 ms
	QueueJournals = Budget{50, 1000} // takes 1 ms
	Outages       = Budget{10, 40}   // of each kind; takes 5 ms
)

// Simulations of offline nodes.
var (
	Simulation         = Budget{100, 1000} // 50 ms a seed; each fault occurs in one of 16
	RepeatedSimulation = Budget{2, 6}
)

// Labels and files.
var (
	DrainedLabels = Budget{60, 200} // 20 ms a label, on a printer that is often slow
	DecodedLabels = Budget{30, 100} // 20 ms a label
	LargeFile     = Budget{60, 500} // 10 ms a document
)

// Stores: each case is a random history of transactions.
var (
	ConcurrentUpdates   = Budget{10, 25} // by each of 16 writers
	ConcurrentReads     = Budget{10, 50} // by each of 16 readers
	SnapshotViews       = Budget{50, 200}
	WritesBetweenFaults = Budget{50, 200} // before and after a database or its disk fails
	BoltHistories       = Budget{50, 100}
	DatabaseHistories   = Budget{6, 100} // each takes 50 ms on PostgreSQL
	PoolerHistories     = Budget{3, 100}
)

// PostgreSQL under load: each case is a fault, or an increment by each client.
var (
	Terminations       = Budget{8, 40}
	PoolerTerminations = Budget{3, 10}
	Cuts               = Budget{2, 10} // three faults
	DatabaseFailures   = Budget{2, 5}
	Increments         = Budget{5, 25}
)

// The API and the ledger.
var (
	Inputs            = Budget{30, 100} // of each operation
	Oracle            = Budget{50, 400} // 20 to 80 operations, each compared with the model
	OracleOnDatabase  = Budget{2, 15}   // the same on PostgreSQL, which takes a second
	RandomOperations  = Budget{30, 300} // 5 to 30 operations, each of them twice, and a verification
	GeneratedRequests = Budget{1500, 20_000}
	Lines             = Budget{5000, 100_000} // of an imported file
	ContractOnDisk    = Budget{0, 1}          // package server runs it over HTTP
)

// Failures of the program and of the machine.
var (
	Kills              = Budget{4, 40} // about a hundred writes each, which are repeated
	LinearHistories    = Budget{3, 12} // 480 requests
	SiblingHistories   = Budget{0, 6}  // 480 requests on PostgreSQL; a story of the cluster checks one, too
	PowerLosses        = Budget{10, 50}
	DamagedLogs        = Budget{40, 240}
	DamagedDirectories = Budget{5, 96} // starts the program
	OverwrittenPages   = Budget{0, 4}  // a service under damage
	FormatVariants     = Budget{0, 1}  // fixtures of earlier versions beyond one of each format
)
