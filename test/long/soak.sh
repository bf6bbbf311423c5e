#!/usr/bin/env bash
# Runs the tests again and again: not one failure is accepted, as each is a fault or fails by chance. After `npm run build`:
#
#   test/long/soak.sh                   all rounds, for hours, on a machine that does nothing else
#   test/long/soak.sh disk processes=2  only these, as often as is said
#
# Each run has its files in another order, which CATALOG_TEST_ORDER repeats, since those of a worker share its modules.
# It prints a table: how often, how many failed, the longest in seconds, and the most MB of files. The output of a run that
# failed stays in soak-<round>-<n>.log in the folder for temporary files.
set -uo pipefail
cd "$(dirname "$0")/../.."

declare -A times=([quiet]=10 [busy]=3 [one-core]=3 [disk]=1 [processes]=50)
rounds=("$@")
[ $# -gt 0 ] || rounds=(quiet busy one-core disk processes)
logs=${TMPDIR:-/tmp}
# Short, since sockets of browsers are in it, whose paths have a limit; other users of tests go through it.
disk=$(mktemp -d /var/tmp/soak-XXXXXX)
chmod 755 "$disk"
loops=()
end() {
  [ ${#loops[@]} = 0 ] || kill "${loops[@]}" 2>/dev/null
  loops=()
}
trap 'end; rm -rf "$disk"' EXIT

vitest=(npx --no-install vitest run --config test/vitest.config.ts)

# The tests of one round, once.
tests() {
  case $1 in
    one-core) taskset -c 0 "${vitest[@]}" ;;
    disk) CATALOG_TEST_FOLDER=$disk "${vitest[@]}" ;;
    processes) "${vitest[@]}" $(npx --no-install tsx -e "
      import { testsWithProcesses } from './test/tier.ts';
      console.log(testsWithProcesses('.').join(' '));") ;;
    *) "${vitest[@]}" ;;
  esac
}

# The most MB of files while a process runs.
most_files() {
  local most=0 now
  while kill -0 "$1" 2>/dev/null; do
    now=$(du -smc /dev/shm/catalog-tests-* "$disk" 2>/dev/null | tail -1 | cut -f1)
    [ "${now:-0}" -gt "$most" ] && most=$now
    sleep 1
  done
  echo "$most"
}

printf '%-10s %5s %6s %9s %8s\n' round times failed longest files
status=0
for round in "${rounds[@]}"; do
  name=${round%%=*} count=${times[${round%%=*}]:?no such round}
  [ "$name" = "$round" ] || count=${round#*=}
  failed=0 longest=0 files=0
  if [ "$name" = busy ]; then
    for _ in 1 2; do
      (while :; do :; done) &
      loops+=($!)
    done
  fi
  for n in $(seq "$count"); do
    log=$logs/soak-$name-$n.log
    begun=$SECONDS
    export CATALOG_TEST_ORDER=$n-$$
    echo "CATALOG_TEST_ORDER=$CATALOG_TEST_ORDER" >"$log"
    tests "$name" >>"$log" 2>&1 &
    run=$!
    now=$(most_files $run)
    if wait $run; then rm "$log"; else failed=$((failed + 1)); fi
    took=$((SECONDS - begun))
    [ "$took" -gt "$longest" ] && longest=$took
    [ "$now" -gt "$files" ] && files=$now
  done
  end
  printf '%-10s %5s %6s %7s s %5s MB\n' "$name" "$count" "$failed" "$longest" "$files"
  [ "$failed" = 0 ] || status=1
done
exit $status
