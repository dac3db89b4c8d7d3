#!/bin/sh
# Writes .env for compose.yaml: secrets and passwords that only this deployment has, and the images by digest. Run it in
# the root of the repository. It never changes a value that .env has already; to rotate a password or to take newer
# images, remove their lines and run it again (docs/operating/compose.md). Each time it names the lines of .env that the
# compose files do not read, such as a setting with a spelling mistake.
set -eu
umask 077
env=${1:-.env}
root=$(dirname "$0")/..
touch "$env"
chmod 600 "$env"
# A last line without its end would be continued by the next value.
[ -z "$(tail -c 1 "$env")" ] || echo >> "$env"

# As Compose reads .env: spaces around the name, `export`, a colon instead of "=", quotes. An empty value is none.
name_of='^[[:space:]]*(export[[:space:]]+)?'
has() { grep -Eq "$name_of$1[[:space:]]*[=:][[:space:]]*(\"[^\"]|'[^']|[^[:space:]\"'#])" "$env"; }
put() { has "$1" || { printf '%s=%s\n' "$1" "$2" >> "$env"; echo "$env: $1 written"; }; }

for name in SECRET_KEY KEY_PEPPER; do
  put "$name" "1:$(openssl rand -hex 32)"
done
# Hexadecimal, because they become parts of URLs.
for name in POSTGRES_PASSWORD APP_PASSWORD SYSTEM_PASSWORD REDIS_PASSWORD; do
  put "$name" "$(openssl rand -hex 24)"
done

# A tag can be moved to another image; a digest cannot. Pulling resolves the tag once, here, where you can see it.
pin() {
  has "$1" && return 0
  docker pull --quiet "$2" >/dev/null
  digest=$(docker image inspect --format '{{index .RepoDigests 0}}' "$2")
  case $digest in
    *@sha256:????????????????????????????????????????????????????????????????) put "$1" "$digest" ;;
    *) echo "Docker names no digest for $2; set $1 in $env yourself." >&2; exit 1 ;;
  esac
}
pin POSTGRES_IMAGE postgres:17-bookworm
pin REDIS_IMAGE redis:7-bookworm
pin NODE_IMAGE node:26-bookworm-slim

# The same sentences as server/src/app/live-hint.ts.
has LIVE_PROVIDERS || cat <<'HINT'
Live lookups are off: no outside service learns what you check. To turn them on, set one of these lines:
  LIVE_PROVIDERS=dns,rdap  Your name servers learn the hostnames you check. Registries learn the IP addresses and domains.
  LIVE_PROVIDERS=all       Certificate logs, port and community databases and Microsoft learn them too, and the hosts
                           you check see a connection from this server.
What each service learns: docs/operating/live-lookups.md
HINT

names=$(sed -nE "s/$name_of([A-Za-z_][A-Za-z0-9_]*)[[:space:]]*[=:].*/\\2/p" "$env" | sort -u)
for name in $names; do
  case $name in COMPOSE_* | DOCKER_*) continue ;; esac
  has "$name" || continue
  if grep -q "\${$name:+" "$root/compose.yaml"; then
    echo "$env: $name has no effect in compose.yaml (docs/operating/compose.md says why)." >&2
  elif ! grep -Eq "\\\$\{$name[:}]" "$root/compose.yaml" "$root/compose.demo.yaml"; then
    echo "$env: $name is not a setting. Check its spelling in docs/operating/configuration.md." >&2
  fi
done
