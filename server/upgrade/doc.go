// Package upgrade holds no code, only tests that data written by earlier
// versions keeps its worth: it opens, verifies, answers every kept request with
// the same bytes, and sends its pending work once.
//
// Each directory of testdata is a fixture that one version wrote with its own
// program (see TestRecord_Fixture):
//
//	ledger.tar.gz     the data directory of a service, cleanly closed
//	crashed.tar.gz    the same directory after the service was killed
//	backup.db.gz      a backup of it
//	edge.tar.gz       the directory of an edge with pending, failed and held work
//	exchanges.jsonl.gz every request that the service answered, with its answer
//	keys.json         the organization, its keys and the address of the service
//	*.types.txt       the types of all stored rows and records, by their fields
//
// Fixtures are never changed and never removed. When a stored type changes,
// TestStoredTypes_HaveAFixture fails until `make fixture NAME=…` has recorded
// another one.
package upgrade
