import { startBadDnsPeer } from './peers/bad-dns-peer.ts';
import { ctRow, startCtPeer } from './peers/ct-peer.ts';
import { startInternetDbPeer } from './peers/internetdb-peer.ts';
import { startOtxPeer } from './peers/otx-peer.ts';
import { startRdapPeer } from './peers/rdap-peer.ts';
import { startScannerPeer } from './peers/scanner-peer.ts';

export type HangingUpstreams = Awaited<ReturnType<typeof startHangingUpstreams>>;

/** Every upstream of live lookups; each can hang, that is, accept a request and never answer. */
export async function startHangingUpstreams() {
  const [rdap, ct, internetdb, otx, scanner] = await Promise.all([
    startRdapPeer(),
    startCtPeer(() => [ctRow({ not_before: '2026-01-01T00:00:00', not_after: '2100-01-01T00:00:00' })]),
    startInternetDbPeer(),
    startOtxPeer(),
    startScannerPeer(),
  ]);
  const dns = await startBadDnsPeer('silent');
  const web = [rdap, ct, internetdb, otx, scanner];
  const allow = web.map(({ port }) => `127.0.0.1/32:${port}`).join(',');
  return {
    env: {
      LIVE_PROVIDERS: 'dns,rdap,ct,internetdb,otx,scanner',
      OUTBOUND_ALLOW: allow,
      DNS_SERVERS: dns.server,
      RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl,
      CT_URL: ct.url,
      INTERNETDB_URL: internetdb.url,
      OTX_URL: otx.url,
      OTX_KEY: 'key',
      SCANNER_URL: scanner.url,
      SCANNER_KEY: 'key',
    },
    hang: () => {
      for (const peer of web) peer.mode = 'hang';
      dns.mode = 'silent';
    },
    heal: () => {
      for (const peer of web) peer.mode = 'answer';
      dns.mode = 'answer';
    },
    close: () => Promise.all([...web, dns].map((peer) => peer.close())),
  };
}
