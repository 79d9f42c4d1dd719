package ledger

// RecodeRecord reads the row of a record and writes it again.
func RecodeRecord(row []byte) ([]byte, error) {
	var r record
	if err := (recordCodec{}).Decode(row, &r); err != nil {
		return nil, err
	}
	return recordCodec{}.Append(nil, &r)
}
