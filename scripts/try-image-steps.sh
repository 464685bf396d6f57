#!/usr/bin/env bash
# Runs the steps of deploy/Dockerfile without a container engine: a bare Debian with Node and tini,
# the package installed, a read-only root, another user, no network but loopback. Then starts the
# service, asks it as the health check does, and stops it.
#
#   sudo scripts/try-image-steps.sh [folder for the root file system]
#
# Needs root, debootstrap, iproute2 and a Debian mirror.
set -euo pipefail
cd "$(dirname "$0")/.."
WORK=${1:-$(mktemp -d)}
ROOT=$WORK/root
DATA=$WORK/data
NODE=$(readlink -f node_modules/node/bin/node)
export PATH=$PWD/node_modules/.bin:$PATH

npm run -s pack
if [ ! -e "$ROOT/etc/debian_version" ]; then
  debootstrap --variant=minbase --include=tini bookworm "$ROOT" > "$WORK/debootstrap.log"
fi
install -D -m 755 "$NODE" "$ROOT/usr/local/bin/node"
rm -rf "$ROOT/opt/mintscope" "$DATA"
npm install --global --prefix "$ROOT/opt/mintscope" --omit=dev --ignore-scripts --prefer-offline \
  --no-audit --no-fund ./build/mintscope-*.tgz
install -d -o 10001 -g 10001 -m 700 "$DATA" "$ROOT/var/cache/mintscope"
install -d "$ROOT/data"
echo "installed: $(du -sm --apparent-size "$ROOT/opt/mintscope" | cut -f 1) MiB"

cat > "$WORK/service.sh" <<'SERVICE'
set -euo pipefail
ROOT=$1 DATA=$2
# As in the image; nothing of the environment of the caller.
AS_SERVICE=(env -i PATH=/opt/mintscope/bin:/usr/local/bin:/usr/sbin:/usr/bin:/bin HOME=/tmp
  NODE_COMPILE_CACHE=/var/cache/mintscope MINTSCOPE_HOST=0.0.0.0
  MINTSCOPE_DATA_DIR=/data/mintscope chroot --userspec=10001:10001 "$ROOT")
in_root() { "${AS_SERVICE[@]}" "$@"; }
mount --bind "$ROOT" "$ROOT"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
mount --bind "$DATA" "$ROOT/data"
ip link set lo up
in_root mintscope --help > /dev/null
mount -o remount,bind,ro "$ROOT"
if in_root touch /var/cache/mintscope/written 2> /dev/null; then
  echo 'The root can be written.' >&2
  exit 1
fi
began=$(date +%s%N)
"${AS_SERVICE[@]}" tini -- mintscope start > "$DATA/output" 2>&1 &
service=$!
healthcheck=/opt/mintscope/lib/node_modules/mintscope/bin/healthcheck.cjs
in_root node -e '
  const again = () => fetch("http://127.0.0.1:8080/livez").catch(() => setTimeout(again, 10));
  again();'
echo "first answer after $((($(date +%s%N) - began) / 1000000)) ms, load $(cut -d " " -f 1 /proc/loadavg)"
for attempt in $(seq 60); do
  in_root node "$healthcheck" 2> "$DATA/unhealthy" && break
  sleep 1
done
in_root node "$healthcheck"
echo "healthy after $attempt attempts"
kill -TERM "$service"
status=0
wait "$service" || status=$?
grep -q '"msg":"stopped"' "$DATA/output" || { tail -5 "$DATA/output"; exit 1; }
echo "stopped in order, exit code $status"
SERVICE
unshare --mount --pid --fork --ipc --uts --net --kill-child bash "$WORK/service.sh" "$ROOT" "$DATA"
if [ $# -eq 0 ]; then rm -rf "$WORK"; fi
