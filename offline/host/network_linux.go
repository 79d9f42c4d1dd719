package host

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// networkSettles is how long addresses and routes may still change after the first sign of
// a change, as when a network comes up.
const networkSettles = 200 * time.Millisecond

// watchNetwork calls changed after each change of this machine's links, addresses and
// routes, until ctx ends. Without such events, the connection is checked every few seconds
// alone.
func watchNetwork(ctx context.Context, changed func()) {
	socket, err := openRouteSocket()
	if err != nil {
		slog.Info("cannot watch the network of this machine", "error", err)
		return
	}

	defer socket.Close()
	defer context.AfterFunc(ctx, func() { _ = socket.SetReadDeadline(time.Unix(1, 0)) })()
	message := make([]byte, os.Getpagesize())
	for {
		// A message that was lost because there were too many is a change too.
		if _, err := socket.Read(message); ctx.Err() != nil || err != nil && !isOverflow(err) {
			return
		}

		settled := time.NewTimer(networkSettles)
		select {
		case <-settled.C:
		case <-ctx.Done():
			settled.Stop()
			return
		}

		changed()
	}
}

// openRouteSocket returns a socket on which the kernel reports changes of the network.
func openRouteSocket() (*os.File, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, unix.NETLINK_ROUTE)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}

	groups := unix.RTMGRP_LINK | unix.RTMGRP_IPV4_IFADDR | unix.RTMGRP_IPV6_IFADDR | unix.RTMGRP_IPV4_ROUTE | unix.RTMGRP_IPV6_ROUTE
	if err := unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK, Groups: uint32(groups)}); err != nil {
		_ = unix.Close(fd)
		return nil, os.NewSyscallError("bind", err)
	}

	return os.NewFile(uintptr(fd), "netlink"), nil
}

func isOverflow(err error) bool { return errors.Is(err, unix.ENOBUFS) }
