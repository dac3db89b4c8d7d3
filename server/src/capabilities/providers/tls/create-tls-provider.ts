import type { Domain, Ip } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { OutboundStreams } from '#platform/outbound/stream-target.ts';
import { TlsFacts } from '../contract-hosts.ts';
import type { Provider } from '../provider.ts';
import { targetFailure } from '../target-failure.ts';
import { certificateProblem } from './certificate-problem.ts';
import { readCertificate } from './read-certificate.ts';

export type TlsProviderDeps = {
  readonly streams: OutboundStreams;
  readonly clock: Clock;
  /** For tests; certificates are read on 443 (reliability 3.S). */
  readonly port?: number;
};

/** Reliability fault 18: a real chain has 3 to 6 KiB; more than this is somebody's joke. */
const HANDSHAKE_BYTES_MAX = 64 * 1024;
const HOUR_MS = 3_600_000;

/** What the host itself shows on 443: one handshake, nothing asked, whatever it shows reported (contract 2.3). */
export function createTlsProvider({
  streams,
  clock,
  port = 443,
}: TlsProviderDeps): Provider<Ip | Domain, TlsFacts> {
  return {
    name: 'tls',
    keyOf: ({ value }) => value,
    // Every host is its own upstream; a breaker over all of them would let one stand for another.
    upstreamOf: () => 'hosts',
    schema: TlsFacts,
    deadlineMs: 3_000,
    atOnceMax: 64,
    freshMs: 6 * HOUR_MS,
    absentMs: HOUR_MS / 4,
    keepMs: 0,
    ask: async (host, { signal, deadlineMs }) => {
      try {
        const target = { host: host.value, port, signal, deadlineMs, bytesMax: HANDSHAKE_BYTES_MAX };
        const { leaf, problem: code, isTrusted, protocol } = await streams.handshake(target);
        const { certificate, names, isFor, ...read } = readCertificate(leaf);
        const isForHost = isFor(host.value, host.kind === 'ip');
        const problem = certificateProblem({ ...read, nowMs: clock.now(), isForHost, code });
        return {
          value: {
            certificate,
            names: [...names],
            isTrusted: isTrusted && problem === null,
            problem,
            protocol,
          },
        };
      } catch (error) {
        throw targetFailure(error);
      }
    },
    observe: (host, { certificate }) => [
      { relation: 'certificate', pivot: certificate.fingerprint, subject: host.value, recordType: '' },
    ],
  };
}
