#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# files.sh BUILD SOURCES VERSION: what `meson install` alone leaves, where and with which mode; one version everywhere.
set -u
export LC_ALL=C.UTF-8
build=$1 sources=$2 version=$3 fails=0
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# check WHAT TROUBLE
check() {
	if [ -z "$2" ]; then
		echo "ok   $1"
	else
		printf 'FAIL %s:\n%s\n' "$1" "$2"
		fails=$((fails + 1))
	fi
}

# The folders of systemd, D-Bus and polkit are theirs, or below the prefix: only their ends are the same everywhere
cat > "$root.wanted" <<-'END'
	755 /bin/losslessctl
	755 /sbin/losslessd
	755 /libexec/losslessd/losslessd-nic
	755 /libexec/losslessd/losslessd-switch
	700 /etc/losslessd/credentials
	644 /systemd/system/losslessd.service
	644 /systemd/system/losslessd-nic.service
	644 /systemd/system/losslessd-nic.socket
	644 /systemd/system/losslessd-switch.service
	644 /systemd/system/losslessd-switch.socket
	644 /systemd/catalog/losslessd.catalog
	644 /sysusers.d/losslessd.conf
	644 /tmpfiles.d/losslessd.conf
	644 /dbus-1/system.d/org.lossless.Node1.conf
	644 /polkit-1/actions/org.lossless.policy
	644 /bash-completion/completions/losslessctl
	644 /share/doc/losslessd/examples/fabric.yaml
	644 /share/man/man1/losslessctl.1
	644 /share/man/man5/fabric.yaml.5
	644 /share/man/man5/lossless-dialect.5
	644 /share/man/man7/lossless-fabric.7
	644 /share/man/man5/org.lossless.Node1.5
	644 /share/man/man8/losslessd.8
END
trap 'rm -rf "$root" "$root.wanted"' EXIT
for file in "$sources"/config/dialects/*.yaml; do
	echo "644 /share/losslessd/dialects/${file##*/}"
done >> "$root.wanted"

# Whoever installs may have any umask
(umask 077 && DESTDIR=$root meson install -C "$build" --no-rebuild --quiet) > "$root.out" 2>&1 ||
	check "meson install" "$(cat "$root.out")"
rm -f "$root.out"
check "each file is there once, with its mode" "$(while read -r mode end; do
	found=$(cd "$root" && find . -path "*$end" -printf '%m\n')
	[ "$found" = "$mode" ] || echo "$end: $mode wanted, found: ${found:-none}"
done < "$root.wanted")"
check "no other programs, units, or folders of /etc" "$(cd "$root" &&
	find . \( -perm /111 -type f ! -path '*/examples/*' -o -path '*/systemd/system/*' -o -path './etc/*' \) ! -path ./etc/losslessd |
	while read -r file; do
		cut -d' ' -f2 "$root.wanted" | grep -qxF "$(grep -oE '/(s?bin|libexec/losslessd|systemd/system|etc/losslessd)/[^/]+$' <<< "$file")" ||
			echo "$file"
	done)"
check "data is for everybody to read, and for nobody else to write" "$(cd "$root" &&
	find . -type f ! -perm 644 ! -perm 755 -o -type d ! -perm 755 ! -path ./etc/losslessd/credentials ! -path . | grep .)"

# ---- one version ----

check "debian/changelog and the spec have the version of meson.build" "$(diff <(
	sed -n '1s/^losslessd (\(.*\)) .*/debian \1/p' "$sources/debian/changelog"
	sed -n 's/^Version: */spec /p' "$sources/packaging/losslessd.spec"
	sed -n '/^%changelog/,$s/^\* .* \(.*\)-1$/its changes \1/p' "$sources/packaging/losslessd.spec" | head -n 1
) <(printf '%s\n' "debian $version" "spec $version" "its changes $version"))"
check "NEWS.md begins with it" "$(grep -m 1 '^## ' "$sources/NEWS.md" | grep -vxF "## $version")"
exit $((fails > 0))
