package offline

import "golang.org/x/sys/unix"

// networkFileSystems are the file systems of other machines, by what they say they are.
var networkFileSystems = map[int64]string{
	unix.NFS_SUPER_MAGIC: "NFS", unix.SMB_SUPER_MAGIC: "SMB", unix.SMB2_SUPER_MAGIC: "SMB", unix.CIFS_SUPER_MAGIC: "SMB",
	unix.AFS_SUPER_MAGIC: "AFS", unix.AFS_FS_MAGIC: "AFS", unix.CODA_SUPER_MAGIC: "Coda", unix.CEPH_SUPER_MAGIC: "Ceph", 0x0BD00BD0: "Lustre",
}

// networkDrive is the kind of network drive that a directory lies on; empty where
// it is none, or not known to be one.
func networkDrive(dir string) string {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return ""
	}
	return networkFileSystems[int64(fs.Type)&0xFFFFFFFF] //nolint:unconvert // it is of another type on other machines
}
