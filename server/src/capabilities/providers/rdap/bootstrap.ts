import type { Ip } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Outbound } from '#platform/outbound.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { reachOf, refusedStatus, serviceUrl } from '../fetch-json.ts';
import { domainServiceOf, rangeServiceOf, readDomainServices, readRangeServices } from './bootstrap-file.ts';

const FRESH_MS = DAY_MS;
/** A failed download is repeated after this long, however many lookups wait for the file. */
const RETRY_MS = 60_000;
/**
 * The same while no file was loaded yet: shorter, so that one slow answer after a start does not block all
 * registries for a minute.
 */
const RETRY_EMPTY_MS = 5_000;
const DEADLINE_MS = 5_000;
const BYTES_MAX = 2 * 1024 * 1024;
const REDIRECTS_MAX = 2;
const UNREAD = 'bootstrap';

/** The RDAP service for a name or an address. Undefined: its registry has no RDAP; null: it must not be queried. */
export type Bootstrap = {
  readonly ofDomain: (name: string, signal: AbortSignal) => Promise<URL | null | undefined>;
  readonly ofAddress: (ip: Ip, signal: AbortSignal) => Promise<URL | null | undefined>;
  readonly upstreamOf: (subject: string | Ip) => string;
};

export type BootstrapDeps = {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly bootstrapUrl: string;
};

/** IANA's lists of registries (RFC 9224), each downloaded on first use and then once a day. */
export function createBootstrap(deps: BootstrapDeps): Bootstrap {
  const { schemes } = reachOf(deps.bootstrapUrl);
  const domains = keepFile(deps, 'dns.json', (text) => readDomainServices(text, schemes));
  const ranges = {
    4: keepFile(deps, 'ipv4.json', (text) => readRangeServices(text, schemes)),
    6: keepFile(deps, 'ipv6.json', (text) => readRangeServices(text, schemes)),
  } as const;
  return {
    ofDomain: async (name, signal) => domainServiceOf(await domains.read(signal), name),
    ofAddress: async (ip, signal) => rangeServiceOf(await ranges[ip.version].read(signal), ip),
    upstreamOf: (subject) => {
      if (typeof subject !== 'string') {
        const held = ranges[subject.version].held();
        return (held === null ? null : rangeServiceOf(held, subject))?.host ?? UNREAD;
      }
      const held = domains.held();
      if (held === null) return UNREAD;
      return domainServiceOf(held, subject)?.host ?? subject.slice(subject.lastIndexOf('.'));
    },
  };
}

type KeptFile<T> = {
  readonly held: () => T | null;
  readonly read: (signal: AbortSignal) => Promise<T>;
};

/** The last good file is used while a newer one is not available: registries change over months. */
function keepFile<T>(deps: BootstrapDeps, file: string, parse: (text: string) => T): KeptFile<T> {
  const { outbound, clock } = deps;
  const reach = reachOf(deps.bootstrapUrl);
  let held: T | null = null;
  let etag: string | null = null;
  let dueMs = Number.NEGATIVE_INFINITY;
  let failure: unknown = null;
  let asking: Promise<void> | null = null;

  const ask = async (): Promise<void> => {
    try {
      const answer = await outbound.fetch(serviceUrl(deps.bootstrapUrl, file), {
        ...reach,
        etag: held === null ? null : etag,
        deadlineMs: DEADLINE_MS,
        bytesMax: BYTES_MAX,
        redirects: REDIRECTS_MAX,
      });
      const text = await answer.text();
      if (!answer.isNotModified) {
        if (answer.status !== 200) throw refusedStatus(answer.status);
        held = parse(text);
        etag = answer.etag;
      }
      failure = null;
      dueMs = clock.monotonic() + FRESH_MS;
    } catch (error) {
      failure = error;
      dueMs = clock.monotonic() + (held === null ? RETRY_EMPTY_MS : RETRY_MS);
    } finally {
      asking = null;
    }
  };
  return {
    held: () => held,
    read: async (signal) => {
      if (clock.monotonic() >= dueMs) {
        // One download for all waiting lookups; it continues when one of them ends.
        asking ??= ask();
        if (held === null) await untilAborted(asking, signal);
      }
      if (held === null) throw failure;
      return held;
    },
  };
}

async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
