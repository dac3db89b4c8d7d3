/**
 * The lines that set-up prints while live lookups are off: how to turn them on, and which outside service then learns
 * what (O80). `deploy/prepare-env.sh` prints the same ones.
 */
export const LIVE_HINT = `Live lookups are off: no outside service learns what you check. To turn them on, set one of these lines:
  LIVE_PROVIDERS=dns,rdap  Your name servers learn the hostnames you check. Registries learn the IP addresses and domains.
  LIVE_PROVIDERS=all       Certificate logs, port and community databases and Microsoft learn them too, and the hosts
                           you check see a connection from this server.
What each service learns: docs/operating/live-lookups.md`;
