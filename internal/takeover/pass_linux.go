package takeover

import (
	"errors"
	"net"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// socketsMax is how many come with an offer.
const socketsMax = 3

// sameUser refuses a peer that is a process of another user, root's among them.
func sameUser(conn *net.UnixConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var peer *unix.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) { peer, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err != nil {
		return err
	}
	switch {
	case failed != nil:
		return failed
	case int(peer.Uid) != os.Geteuid():
		return ErrUser
	}
	return nil
}

// send sends a message with the sockets of listeners. They stay in the mode that the listener has
// them in: what [os.File.Fd] does to one would be done to the listener's, too.
func send(conn *net.UnixConn, message []byte, list []net.Listener) error {
	if err := conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return err
	}
	return with(list, nil, func(fds []int) error {
		_, _, err := conn.WriteMsgUnix(message, unix.UnixRights(fds...), nil)
		return err
	})
}

// with calls do with the descriptors of listeners, none of which is closed meanwhile.
func with(list []net.Listener, fds []int, do func(fds []int) error) error {
	if len(list) == 0 {
		return do(fds)
	}
	source, ok := list[0].(syscall.Conn)
	if !ok {
		return errors.New("it has no descriptor")
	}
	raw, err := source.SyscallConn()
	if err != nil {
		return err
	}
	failed := raw.Control(func(fd uintptr) { err = with(list[1:], append(fds, int(fd)), do) })
	return errors.Join(failed, err)
}

// receive reads a message and the sockets that come with it.
func receive(conn *net.UnixConn) (message []byte, files []*os.File, err error) {
	if err := conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return nil, nil, err
	}
	message, rights := make([]byte, offerBytesMax), make([]byte, unix.CmsgSpace(4*socketsMax))
	n, m, _, _, err := conn.ReadMsgUnix(message, rights)
	if err != nil {
		return nil, nil, err
	}
	controls, err := unix.ParseSocketControlMessage(rights[:m])
	if err != nil {
		return nil, nil, err
	}
	for i := range controls {
		fds, err := unix.ParseUnixRights(&controls[i])
		if err != nil {
			return nil, files, err
		}
		for _, fd := range fds {
			files = append(files, os.NewFile(uintptr(fd), "a listening socket"))
		}
	}
	return message[:n], files, nil
}
