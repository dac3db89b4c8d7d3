import type { Ip } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Outbound } from '#platform/outbound.ts';
import { reachOf, refusedStatus, serviceUrl } from '../fetch-json.ts';
import { domainServiceOf, rangeServiceOf, readDomainServices, readRangeServices } from './bootstrap-file.ts';

const FRESH_MS = 86_400_000;
/** A file that could not be had is asked for again after this long, however many questions wait for it. */
const RETRY_MS = 60_000;
/** Sooner while there is nothing to stand in: one slow answer after a start must not cost a minute of all registries. */
const RETRY_EMPTY_MS = 5_000;
const DEADLINE_MS = 5_000;
const BYTES_MAX = 2 * 1024 * 1024;
const REDIRECTS_MAX = 2;
const UNREAD = 'bootstrap';

/** Which registry answers for a name or an address. Undefined: none with RDAP; null: one that may not be asked. */
export type Bootstrap = {
  readonly ofDomain: (name: string, signal: AbortSignal) => Promise<URL | null | undefined>;
  readonly ofAddress: (ip: Ip, signal: AbortSignal) => Promise<URL | null | undefined>;
  /** Who will be asked, as far as is known without asking. */
  readonly upstreamOf: (subject: string | Ip) => string;
};

export type BootstrapDeps = {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly bootstrapUrl: string;
};

/** IANA's lists of registries (RFC 9224), each read when first needed and once a day from then on. */
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

/** The last good one stands in for as long as a newer one cannot be had: registries move over months. */
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
        // One question for everybody who waits: it outlives any of them.
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
