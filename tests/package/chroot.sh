#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# chroot.sh DEB VERSION: install, use, upgrade, reinstall, remove and purge the package in a bare Debian, as root. That is
# made of the apt sources of this machine in a temporary folder; mounts, processes and the network are those of a
# namespace, so that nothing is left of them however this ends. Nothing of the machine is installed or changed.
# 77: there is no such Debian to be had.
set -u
export LC_ALL=C.UTF-8 PATH=$PATH:/usr/sbin:/sbin
[ "$(id -u)" = 0 ] || { echo "needs root" && exit 77; }
command -v mmdebstrap > /dev/null || { echo "needs mmdebstrap" && exit 77; }
deb=$(readlink -f "$1") version=$2 fails=0
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 129' HUP INT TERM
chmod 755 "$work"
root=$work/root
FABRIC=/etc/losslessd/fabric.yaml
KEY=/etc/losslessd/credentials/leaf-1

# verdict WHAT GOT WANTED
verdict() {
	if [ "$2" = "$3" ]; then
		echo "ok   $1"
	else
		printf 'FAIL %s\n  is:     %s\n  wanted: %s\n' "$1" "$2" "$3"
		fails=$((fails + 1))
	fi
}

# is WHAT WANTED COMMAND...: what it says
is() {
	local what=$1 wanted=$2
	shift 2
	verdict "$what" "$("$@" 2>&1)" "$wanted"
}

# does WHAT STATUS COMMAND...: how it ends; what it says stays in $work/out
does() {
	local what=$1 wanted=$2 status=0
	shift 2
	"$@" > "$work/out" 2>&1 < /dev/null || status=$?
	verdict "$what" $status "$wanted"
	[ $status = "$wanted" ] || tail -n 20 "$work/out" | sed 's/^/    /'
}

# says WHAT PATTERN: of what `does` ran
says() {
	verdict "$1" "$(grep -cE -- "$2" "$work/out")" 1
}

# inside COMMAND...: in the bare Debian
inside() {
	root=$root unshare --mount --pid --fork --kill-child sh -c \
		'mount -t proc proc "$root/proc" && exec chroot "$root" "$@"' sh "$@"
}

apt() {
	inside env DEBIAN_FRONTEND=noninteractive apt-get -y --no-install-recommends "$@"
}

# ---- a bare Debian ----

# Only what is Debian's own: whoever else has packages on this machine is not asked
sources() {
	apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' | sort -u
}

make_bare() {
	local codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	sources > "$work/sources.list"
	grep -q " $codename " "$work/sources.list" || { echo "no source of Debian $codename" && exit 77; }
	mmdebstrap --quiet --mode=root --variant=minbase --skip=cleanup/apt/lists "$codename" "$root" "$work/sources.list" \
		> "$work/mmdebstrap.log" 2>&1 || { tail -n 5 "$work/mmdebstrap.log" && exit 77; }
	# How to reach them: proxies, what is checked
	apt-config dump | grep '^Acquire::' > "$root/etc/apt/apt.conf.d/90test"
	echo 'APT::Get::Assume-Yes "true"; APT::Install-Recommends "false";' > "$root/etc/apt/apt.conf.d/91nobody"
	[ ! -r /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
}

# files: all that there are, but for what apt, dpkg and systemd keep of each package that was ever there
files() {
	(cd "$root" && find . -xdev -path ./proc -prune -o -path ./tmp/packages -prune -o -print) | sort |
		grep -vE '^\./(var/(cache|log|lib/(apt|dpkg|systemd/catalog|systemd/deb-systemd-helper-enabled$))|run/|dev/)' |
		grep -vE '^\./etc/((passwd|group|shadow|gshadow)-?|\.pwd\.lock|ld\.so\.cache)$'
}

# with VERSION: the same package under another version
with() {
	rm -rf "$work/repack"
	dpkg-deb -R "$deb" "$work/repack"
	sed -i "s/^Version: .*/Version: $1/" "$work/repack/DEBIAN/control"
	dpkg-deb -b --root-owner-group "$work/repack" "$root/tmp/packages/losslessd_$1.deb" > /dev/null
}

# readme WHAT STATUS PATTERN: the first line of README that matches, word for word, where the package was copied to; nobody
# is asked and root needs no sudo
readme() {
	local line
	line=$(sed -nE 's/^(gpu-[0-9])?\$ (sudo )?//p' "$readme" | sed 's/ *#.*//' | grep -m 1 -E -- "$3")
	does "$1: ${line:-README has no line like $3}" "$2" inside env DEBIAN_FRONTEND=noninteractive sh -c "cd /tmp/packages && ${line:-false}"
}
readme=$(dirname "$(readlink -f "$0")")/../../README.md

make_bare
mkdir "$root/tmp/packages"
cp "$deb" "$root/tmp/packages/losslessd.deb"
with "0.0.1~"

# What is there without it, once its dependencies are
bare=$root
cp -a "$root" "$work/plain"
root=$work/plain
does "its dependencies" 0 apt satisfy "$(dpkg-deb -f "$deb" Depends)"
files > "$work/before"
root=$bare
rm -rf "$work/plain"

echo "-- install"
mv "$root/tmp/packages/losslessd_0.0.1~.deb" "$work/"
mv "$root/tmp/packages/losslessd.deb" "$root/tmp/packages/losslessd_$version.deb"
readme "as README says" 0 '^apt install'
mv "$root/tmp/packages/losslessd_$version.deb" "$root/tmp/packages/losslessd.deb"
mv "$work/losslessd_0.0.1~.deb" "$root/tmp/packages/"
says "says that it is not started, and why" "^losslessd is not started: there is no $FABRIC yet"
says "and where to begin" "/usr/share/doc/losslessd/examples/fabric.yaml"
is "no file differs from the package" "" inside dpkg -V losslessd
is "losslessctl --version" "losslessctl $version" inside losslessctl --version
is "losslessd --version" "losslessd $version" inside losslessd --version
for user in losslessd losslessd-switch; do
	is "user $user has no login" "/usr/sbin/nologin" inside sh -c "getent passwd $user | cut -d: -f7"
done
is "credentials are for root" "root root 700" inside stat -c '%U %G %a' /etc/losslessd/credentials
is "/etc/losslessd" "root root 755" inside stat -c '%U %G %a' /etc/losslessd
is "there is no fabric file" "credentials" ls "$root/etc/losslessd"
is "keys of switches" "losslessd-switch losslessd-switch 700" inside stat -c '%U %G %a' /var/lib/losslessd-switch
is "/run/losslessd" "losslessd losslessd 755" inside stat -c '%U %G %a' /run/losslessd
is "the service is enabled" losslessd.service ls "$root/etc/systemd/system/multi-user.target.wants/" -I remote-fs.target -I e2scrub_reap.service
is "its sockets too" "losslessd-nic.socket losslessd-switch.socket" \
	sh -c "cd '$root/etc/systemd/system/sockets.target.wants' && echo losslessd*"
does "systemd takes the units" 0 inside systemd-analyze verify --man=no --recursive-errors=no \
	/lib/systemd/system/losslessd{,-nic,-switch}.service /lib/systemd/system/losslessd-{nic,switch}.socket
is "and has nothing to say" "" cat "$work/out"
does "each folder of dialects is there" 0 inside test -r /usr/share/losslessd/dialects/sonic.yaml

# asserted: by systemd itself, with the line of the unit
asserted() {
	inside systemd-analyze condition \
		"$(sed -n '/^Assert/p' "$root/lib/systemd/system/losslessd.service")"
}
does "without a file the service does not start" 1 asserted
says "and it says which" "AssertPathExistsGlob=.*etc/losslessd/fabric.yaml.* failed"

echo "-- as README says, word for word"
readme "an example" 0 '^cp /usr/share/doc/losslessd/examples/.*yaml /etc/losslessd/fabric.yaml$'
readme "is checked" 0 '^losslessctl check'
says "and is valid" "^/etc/losslessd/fabric.yaml: valid, fabric pod-a$"
readme "a plan, in what is no whole machine" 1 '^losslessctl plan'
says "which is told" "^losslessctl: sysfs and netlink show different network namespaces"
touch "$root/tmp/packages/leaf-admin"	# ssh-keygen comes with what is recommended, which is not installed here
readme "is put there" 0 '^install -m 600'
is "for root alone" "root 600" inside stat -c '%U %a' /etc/losslessd/credentials/leaf-admin
readme "lines for the switch" 0 '^losslessctl switch render'
does "with it the service starts" 0 asserted
rm -f "$root$FABRIC" "$root/etc/losslessd/credentials/leaf-admin"

echo "-- as somebody who begins"
is "the example is readable as it is" "0644 no gz" sh -c "stat -c '0%a no gz' '$root/usr/share/doc/losslessd/examples/fabric.yaml'"
inside sh -c "sed 's/pod-a/pod-b/' /usr/share/doc/losslessd/examples/fabric.yaml > $FABRIC"
does "losslessctl check" 0 inside losslessctl check $FABRIC
says "is content" "valid, fabric pod-b"
does "with a file the service starts" 0 asserted
printf 'user: admin\n' > "$root$KEY"
chmod 600 "$root$KEY"

# As the units have it, by hand: a machine without a port, and without a network
cat > "$root/tmp/packages/serve" <<-'END'
	set -e
	mount -t sysfs sysfs /sys
	for who in losslessd losslessd-switch; do
		install -d -o $who -g $who /var/lib/$who
	done
	install -d -o losslessd -g losslessd /run/losslessd
	/usr/libexec/losslessd/losslessd-nic --socket /run/losslessd/nic &
	runuser -u losslessd-switch -- sh -c 'cd /var/lib/losslessd-switch && exec /usr/libexec/losslessd/losslessd-switch --socket socket' &
	runuser -u losslessd -- losslessd &
	tries=100
	until [ -S /run/losslessd/bus ] || [ $((tries -= 1)) = 0 ]; do
		sleep 0.2
	done
	losslessctl status && status=0 || status=$?
	echo "status: $status"
	stat -c 'its socket: %U %a' /run/losslessd/bus
	# A node without a port takes nothing in force: what it would write
	runuser -u losslessd -- cp /etc/losslessd/fabric.yaml /var/lib/losslessd/accepted.yaml
	mkdir -p /run/losslessd && touch /run/losslessd/metrics.prom
END
serve() {
	root=$root unshare --mount --pid --net --fork --kill-child sh -c \
		'mount -t proc proc "$root/proc" && exec chroot "$root" sh /tmp/packages/serve'
}
echo "-- by hand as the units have it"
does "losslessd runs" 0 serve
says "status is asked of it" "^status: 1$"
says "losslessctl hears of no port" "^losslessctl: nothing managed on this node: there is no RDMA device"
verdict "from the daemon" "$(grep -c 'losslessd is not running' "$work/out")" 0
says "its socket is for everybody" "^its socket: losslessd 666$"

# kept: what people and losslessd wrote
kept() {
	(cd "$root" && sha256sum .$FABRIC .$KEY var/lib/losslessd/accepted.yaml && stat -c '%n %U %a' .$KEY etc/losslessd/credentials)
}
kept > "$work/kept"

echo "-- reinstall, upgrade"
does "apt-get install --reinstall" 0 apt install --reinstall /tmp/packages/losslessd.deb
verdict "has nothing to say of a missing file" "$(grep -c 'is not started' "$work/out")" 0
is "keeps file, key and state" "$(cat "$work/kept")" kept
does "an older version" 0 apt install --allow-downgrades /tmp/packages/losslessd_0.0.1~.deb
is "is there" "0.0.1~" inside dpkg-query -W -f '${Version}' losslessd
does "upgrade" 0 apt install /tmp/packages/losslessd.deb
is "is there" "$version" inside dpkg-query -W -f '${Version}' losslessd
is "keeps file, key and state" "$(cat "$work/kept")" kept

echo "-- remove, purge"
does "apt-get remove" 0 apt remove losslessd
is "keeps file, key and state" "$(cat "$work/kept")" kept
is "no program is left" "" sh -c "find '$root/usr' -name 'losslessd*' -o -name losslessctl"
does "apt-get purge" 0 apt purge losslessd
files > "$work/after"
is "leaves what was written by hand, and nothing else" \
	"$(printf '> .%s\n' /etc/losslessd /etc/losslessd/credentials $KEY $FABRIC)" \
	sh -c "diff '$work/before' '$work/after' | grep '^[<>]'"
rm "$root$FABRIC" "$root$KEY"
does "install again" 0 apt install /tmp/packages/losslessd.deb
does "purge with its state on a mount" 0 inside sh -c 'mkdir /var/lib/losslessd && mount -t tmpfs none /var/lib/losslessd &&
	echo state > /var/lib/losslessd/accepted.yaml && dpkg --purge losslessd && ls -A /var/lib/losslessd > /tmp/packages/left'
is "which is empty" "" cat "$root/tmp/packages/left"
does "is purged whole" 1 inside dpkg-query -W losslessd
rmdir "$root/var/lib/losslessd"
does "install once more" 0 apt install /tmp/packages/losslessd.deb
does "purge at once" 0 apt purge losslessd
rmdir "$root/etc/losslessd/credentials" "$root/etc/losslessd" 2> /dev/null
files > "$work/after"
is "leaves nothing" "" diff "$work/before" "$work/after"
exit $((fails > 0))
