#!/bin/sh
# Takes the place of ssh: runs a command on "another machine", which is this one with another name and memory of its own for files.
while [ "${1#-}" != "$1" ]; do shift; done
name=$1
shift
exec unshare --uts --mount --ipc sh -c 'hostname "$1" && mount -t tmpfs tmpfs /dev/shm && eval "$2"' sh "$name" "$*"
