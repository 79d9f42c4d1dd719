package local

import "golang.org/x/sys/unix"

// networkFileSystems are the network file systems by their statfs type.
var networkFileSystems = map[int64]string{
	unix.NFS_SUPER_MAGIC:  "NFS",
	unix.SMB_SUPER_MAGIC:  "SMB",
	unix.SMB2_SUPER_MAGIC: "SMB",
	unix.CIFS_SUPER_MAGIC: "SMB",
	unix.AFS_SUPER_MAGIC:  "AFS",
	unix.AFS_FS_MAGIC:     "AFS",
	unix.CODA_SUPER_MAGIC: "Coda",
	unix.CEPH_SUPER_MAGIC: "Ceph",
	0x0BD00BD0:            "Lustre",
}

// networkDrive returns the type of the network drive that dir is on, or empty if
// it is on none or not known to be.
func networkDrive(dir string) string {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return ""
	}
	return networkFileSystems[int64(fs.Type)&0xFFFFFFFF] //nolint:unconvert // the type of fs.Type depends on the architecture
}
