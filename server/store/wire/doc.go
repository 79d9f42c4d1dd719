// Package wire reads and writes stored bytes: values one after another, and tagged
// fields.
//
// The fields of a row that its format had from the start follow each other in a fixed
// order: a Reader reads them. Fields added later follow as tagged fields in the protobuf
// wire format, which Fields reads and writes:
//
//   - A missing field reads as its zero value, so older rows need no conversion.
//   - A zero value is not written, so unused fields take no space.
//   - A field with an unknown number was written by a newer version. It is preserved and
//     written back with the row.
//
// A number identifies one field of one row forever, even after the field is retired.
package wire
