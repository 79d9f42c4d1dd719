package edge

// StoredDevice is the stored type of a device key.
type StoredDevice = device
