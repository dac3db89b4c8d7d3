import type { Indicator } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Redis } from '#platform/redis.ts';
import { within } from '#platform/within.ts';
import { type FramedLookup, UNCACHED } from './frame/create-lookup.ts';
import { joinCertificates } from './join-certificates.ts';
import type { FacetName, GatherOptions, LiveContext, LiveContexts } from './live-context.ts';
import { type Lookup, missing, type Outcome } from './outcome.ts';
import type { Providers } from './providers.ts';
import { type Questions, questionsOf } from './questions.ts';

/** Those a check may ask, in their frames. */
export type CheckLookups = {
  readonly [N in keyof Questions]-?: Providers[N] extends Lookup<infer K, infer V>
    ? FramedLookup<K, V>
    : never;
};

export type LiveContextsDeps = {
  readonly lookups: CheckLookups;
  readonly redis: Redis;
  readonly clock: Clock;
  readonly log: Log;
};

/** A `basic` check waits no longer for what Redis remembers: its own round trip to the meter takes well under 1 ms. */
const RECALL_MS = 10;
/** What contract 2.1 rule 1 shows at `basic`, and is therefore worth asking for behind a caller's back. */
const WARMED = ['addresses', 'rdap', 'tls', 'ct', 'internetdb', 'scanner'] as const;

/** The host has shown its certificate: its history in the logs, which take seconds to search, is worth this much more. */
const LOGS_AFTER_MS = 1_000;

const INAPPLICABLE = missing('inapplicable');

export function createLiveContexts(deps: LiveContextsDeps): LiveContexts {
  return {
    isOn: Object.values(deps.lookups).some(({ isOn }) => isOn),
    gather: (subject, options) => gather(deps, subject, options),
    remembered: (subject) => remembered(deps, subject),
  };
}

/** All that apply at once; each answers, or is given up, within the budget. */
async function gather(
  { lookups, clock, log }: LiveContextsDeps,
  subject: Indicator,
  { level, only, budgetMs, signal, onFacet }: GatherOptions,
): Promise<LiveContext> {
  const asked = askedOf(questionsOf(subject, level), only);
  const patience = { deadlineMs: budgetMs, ...(signal !== undefined && { signal }) };
  const ask = <K, V>(lookup: Lookup<K, V>, key: K | undefined): Promise<Outcome<V>> =>
    key === undefined ? Promise.resolve(INAPPLICABLE) : lookup.ask(key, patience);
  const landed = async <F extends FacetName>(facet: F, outcome: Promise<LiveContext[F]>) => {
    const found = await outcome;
    try {
      onFacet?.(facet, found);
    } catch (error) {
      log.warn({ facet, err: error }, 'live.facet.listener.failed');
    }
    return found;
  };
  const [tls, ct] = [ask(lookups.tls, asked.tls), ask(lookups.ct, asked.ct)];
  const join = async () => {
    const shown = await tls;
    const logged = shown.state === 'found' ? await within(ct, LOGS_AFTER_MS, missing('deadline')) : await ct;
    return joinCertificates(shown, logged, clock.now());
  };
  const [addresses, dns, whois, certificates, vulnerabilities, otx, scanner, technologies] =
    await Promise.all([
      landed('addresses', ask(lookups.addresses, asked.addresses)),
      landed('dns', ask(lookups.dns, asked.dns)),
      landed('whois', ask(lookups.rdap, asked.rdap)),
      landed('certificates', join()),
      landed('vulnerabilities', ask(lookups.internetdb, asked.internetdb)),
      landed('otx', ask(lookups.otx, asked.otx)),
      landed('scanner', ask(lookups.scanner, asked.scanner)),
      landed('technologies', ask(lookups.web, asked.web)),
    ]);
  return { addresses, dns, whois, certificates, vulnerabilities, otx, scanner, technologies };
}

const askedOf = (questions: Questions, only: GatherOptions['only']): Questions =>
  only === undefined ? questions : Object.fromEntries(only.map((name) => [name, questions[name]]));

/** From memory, then one MGET for the rest: all questions about one subject share a slot. */
async function remembered(deps: LiveContextsDeps, subject: Indicator): Promise<LiveContext> {
  const { lookups, clock } = deps;
  const asked = questionsOf(subject, 'standard');
  const ids: string[] = [];
  const recall = <K, V>(lookup: FramedLookup<K, V>, key: K | undefined): Recalled<V> => {
    if (key === undefined) return () => INAPPLICABLE;
    const id = lookup.isOn ? lookup.idOf(key) : '';
    const known = lookup.recall(id);
    if (known !== null) return () => known;
    ids.push(id);
    return (texts) => (texts === null ? UNCACHED : lookup.accept(id, texts.get(id)));
  };
  const recalled = {
    addresses: recall(lookups.addresses, asked.addresses),
    rdap: recall(lookups.rdap, asked.rdap),
    tls: recall(lookups.tls, asked.tls),
    ct: recall(lookups.ct, asked.ct),
    internetdb: recall(lookups.internetdb, asked.internetdb),
    otx: recall(lookups.otx, asked.otx),
    scanner: recall(lookups.scanner, asked.scanner),
  };
  const texts = ids.length === 0 ? null : await within(readAll(deps.redis, ids), RECALL_MS, null);
  const [tls, ct] = [recalled.tls(texts), recalled.ct(texts)];
  const context: LiveContext = {
    addresses: recalled.addresses(texts),
    dns: INAPPLICABLE,
    whois: recalled.rdap(texts),
    certificates: joinCertificates(tls, ct, clock.now()),
    vulnerabilities: recalled.internetdb(texts),
    otx: recalled.otx(texts),
    scanner: recalled.scanner(texts),
    technologies: INAPPLICABLE,
  };
  if (ids.length > 0)
    warmAll(lookups, asked, {
      ...context,
      rdap: context.whois,
      internetdb: context.vulnerabilities,
      tls,
      ct,
    });
  return context;
}

type Recalled<V> = (texts: ReadonlyMap<string, unknown> | null) => Outcome<V>;

async function readAll(redis: Redis, ids: readonly string[]): Promise<ReadonlyMap<string, unknown> | null> {
  try {
    const texts = await redis.command(ids[0] ?? '', ['MGET', ...ids]);
    return Array.isArray(texts) ? new Map(ids.map((id, index) => [id, texts[index] as unknown])) : null;
  } catch {
    // Redis away: nothing is remembered beyond this process.
    return null;
  }
}

type Warmed = { readonly [N in (typeof WARMED)[number]]: Outcome<unknown> };

function warmAll(lookups: CheckLookups, asked: Questions, known: Warmed): void {
  const warm = <K>(lookup: Pick<Lookup<K, unknown>, 'warm'>, key: K | undefined): void => {
    if (key !== undefined) lookup.warm(key);
  };
  const isUnknown = (name: (typeof WARMED)[number]) => known[name] === UNCACHED;
  if (isUnknown('addresses')) warm(lookups.addresses, asked.addresses);
  if (isUnknown('rdap')) warm(lookups.rdap, asked.rdap);
  if (isUnknown('tls')) warm(lookups.tls, asked.tls);
  if (isUnknown('ct')) warm(lookups.ct, asked.ct);
  if (isUnknown('internetdb')) warm(lookups.internetdb, asked.internetdb);
  if (isUnknown('scanner')) warm(lookups.scanner, asked.scanner);
}
