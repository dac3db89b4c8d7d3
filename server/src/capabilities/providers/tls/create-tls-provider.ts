import type { Domain, Ip } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { OutboundStreams } from '#platform/outbound/stream-target.ts';
import { HOUR_MS } from '#platform/time-units.ts';
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

/** A real chain has 3 to 6 KiB; a larger handshake is an attack (reliability fault 18). */
const HANDSHAKE_BYTES_MAX = 64 * 1024;

/**
 * The certificate that the host shows on 443: one handshake without a request; an invalid certificate is
 * reported too (contract 2.3).
 */
export function createTlsProvider({
  streams,
  clock,
  port = 443,
}: TlsProviderDeps): Provider<Ip | Domain, TlsFacts> {
  return {
    name: 'tls',
    keyOf: ({ value }) => value,
    // Every host is its own upstream; one breaker over all of them would block hosts for the failures of others.
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
