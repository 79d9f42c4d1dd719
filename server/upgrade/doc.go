// Package upgrade tests that data written by earlier versions still works: it opens,
// verifies, returns the same bytes for every recorded request, and sends its pending work
// once.
//
// Each directory of testdata is a fixture that one version wrote with its own
// program (see TestRecord_Fixture):
//
//	ledger.tar.gz     the data directory of a service, cleanly closed
//	crashed.tar.gz    the same directory after the service was killed
//	backup.db.gz      a backup of it
//	edge.tar.gz       the directory of an edge with pending, failed and held work
//	exchanges.jsonl.gz every request to the service with its response
//	keys.json         the organization, its keys and the address of the service
//	*.types.txt       the types of all stored rows with their fields
//
// Fixtures are never changed or removed. When a stored type changes (see CheckStoredTypes),
// TestStoredTypes_HaveAFixture fails until `make fixture NAME=…` has recorded a new one.
package upgrade
