package edge

// StoredDevice is the type of a device's key in the file of the keys.
type StoredDevice = device
