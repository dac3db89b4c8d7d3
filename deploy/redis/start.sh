#!/bin/sh
# Starts Redis for Assay with one user, limited to the commands and keys that the service uses. The password comes from
# REDIS_PASSWORD or REDIS_PASSWORD_FILE; only its SHA-256 is written, to a file that no other user can read, because
# arguments of a process are visible to every user of the machine. Further arguments are passed on to redis-server.
#
# Commands of the service: AUTH, CLIENT, PING, SELECT and INFO for the connection; FUNCTION LOAD, FCALL and what
# server/src/capabilities/metering/meter.lua calls; EVAL and the stream commands of server/src/platform/events; GET, MGET,
# SET and DEL for kept answers of live lookups. server/test/integration/redis-acl.test.ts compares them.
set -eu
umask 077

password=${REDIS_PASSWORD:-}
if [ -n "${REDIS_PASSWORD_FILE:-}" ]; then password=$(cat "$REDIS_PASSWORD_FILE"); fi
if [ -z "$password" ]; then
  echo 'Set REDIS_PASSWORD or REDIS_PASSWORD_FILE: Redis does not start without a password.' >&2
  exit 1
fi
digest=$(printf '%s' "$password" | sha256sum | cut -d ' ' -f 1)
unset REDIS_PASSWORD password

acl=${REDIS_ACL_FILE:-/tmp/users.acl}
prefix=${REDIS_PREFIX:-assay}
cat > "$acl" <<ACL
user default off resetpass -@all
user assay on #$digest resetkeys ~$prefix:* resetchannels -@all +auth +hello +ping +select +info +client|setname +function|load +fcall +eval +time +get +mget +set +setrange +getrange +del +incr +pexpire +hget +hmget +hset +hincrby +zadd +zcard +zrem +zremrangebyscore +xadd +xread +xrevrange
ACL

# noeviction: evicting a counter would grant its quota again. The ledger in PostgreSQL is the record, so everysec is enough.
exec redis-server --aclfile "$acl" --appendonly yes --appendfsync everysec --maxmemory-policy noeviction "$@"
