import { createHash } from 'node:crypto';
import { type Domain, hostOf, type Ip, isBogon, type Url } from '#domain/indicator/index.ts';
import { exactExpression, urlExpressions } from '#domain/url-expressions/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Outbound } from '#platform/outbound.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { ScannerVerdict } from '../contract-opinions.ts';
import { reachOf, serviceUrl } from '../fetch-json.ts';
import { type Answer, type Ask, type Provider, ProviderFailure } from '../provider.ts';
import { notPublic, serviceFailure } from '../service-failure.ts';
import { createPrefixMemory, type PrefixEntry, type PrefixMemory } from './prefix-memory.ts';
import { readProtobufAnswer } from './protobuf-answer.ts';
import { readJsonAnswer, type SearchAnswer, searchAnswerOf } from './search-answer.ts';

export type ScannerDeps = {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly key?: string;
};
type ScannerKey = Ip | Domain | Url;
type Expression = { readonly text: string; readonly hash: string; readonly prefix: string };

const CALLED = 'The scanner';
const DEADLINE_MS = 3_000;
const AT_ONCE_MAX = 16;
/** A prefix is shared by a handful of full hashes; 30 of them with all their details stay far below this. */
const BYTES_MAX = 512 * 1024;
const PREFIX_DIGITS = 8;
/** The protocol allows caching no finding for longer than the answer says, and nothing for longer than a day. */
const SILENCE_MS_MIN = 5 * 60_000;
const CACHE_MS_MAX = DAY_MS;
/** The shortest cache time that the frame supports. */
const CACHE_MS_MIN = 1_000;
const MATCHED_MAX = 2_048;

/**
 * A scanner of the Safe Browsing type (version 5, `hashes:search`). It receives four bytes of the SHA-256 of
 * each URL expression, sorted; the match is decided here by comparing whole hashes.
 */
export function createScannerProvider(deps: ScannerDeps): Provider<ScannerKey, ScannerVerdict> {
  const memory = createPrefixMemory();
  const { host } = serviceUrl(deps.baseUrl, '');
  return {
    name: 'scanner',
    ...(deps.key === undefined ? { unconfigured: 'Set SCANNER_KEY to a key of the scanner.' } : {}),
    // The most exact expression determines all others. Hashed, because a URL may hold a secret and has up to
    // 2,048 characters.
    keyOf: (key) => sha256(exactExpression(urlOf(key)) ?? ''),
    upstreamOf: () => host,
    schema: ScannerVerdict,
    deadlineMs: DEADLINE_MS,
    atOnceMax: AT_ONCE_MAX,
    freshMs: SILENCE_MS_MIN,
    absentMs: SILENCE_MS_MIN,
    // The protocol forbids using an expired answer, so none is kept as stale.
    keepMs: 0,
    ask: (key, ask) => scan(deps, memory, key, ask),
  };
}

async function scan(
  deps: ScannerDeps,
  memory: PrefixMemory,
  key: ScannerKey,
  ask: Ask,
): Promise<Answer<ScannerVerdict>> {
  const at = hostOf(key);
  if (at?.kind === 'ip' && isBogon(at)) throw notPublic();
  const expressions = expressionsOf(key);
  if (expressions.length === 0) throw new ProviderFailure('refused', 'There is no host to look up.');
  const nowMs = deps.clock.monotonic();
  const known = new Map<string, PrefixEntry>();
  const unknown = new Set<string>();
  for (const { prefix } of expressions) {
    const entry = memory.get(prefix, nowMs);
    if (entry === null) unknown.add(prefix);
    else known.set(prefix, entry);
  }
  if (unknown.size > 0) {
    // Sorted, because the order of the expressions would reveal the depth of the page.
    const prefixes = [...unknown].sort();
    const answer = await search(deps, prefixes, ask);
    for (const [prefix, entry] of entriesOf(answer, prefixes, deps.clock.monotonic())) {
      memory.set(prefix, entry);
      known.set(prefix, entry);
    }
  }
  return verdictOf(expressions, known, deps.clock.monotonic());
}

async function search(deps: ScannerDeps, prefixes: readonly string[], ask: Ask): Promise<SearchAnswer> {
  const query = new URLSearchParams([
    ...prefixes.map((prefix) => ['hashPrefixes', Buffer.from(prefix, 'hex').toString('base64')]),
    ['alt', 'json'],
  ]);
  const fetched = await deps.outbound.fetch(
    serviceUrl(deps.baseUrl, `v5/hashes:search?${query.toString()}`),
    {
      ...ask,
      ...reachOf(deps.baseUrl),
      bytesMax: BYTES_MAX,
      headers: {
        accept: 'application/json, application/x-protobuf;q=0.9',
        // Never in the URL, which the protocol also allows, because URLs are logged.
        'x-goog-api-key': deps.key ?? '',
      },
    },
  );
  // An unknown prefix gets 200 without hashes; a 404 comes from another service.
  if (fetched.status !== 200) {
    fetched.body.destroy();
    throw serviceFailure(CALLED, fetched.status);
  }
  const body = await fetched.bytes();
  const isProtobuf = fetched.headers['content-type']?.startsWith('application/x-protobuf') === true;
  return searchAnswerOf(isProtobuf ? readProtobufAnswer(CALLED, body) : readJsonAnswer(CALLED, body));
}

/** The duration applies to every requested prefix, listed or not. Hashes that were not requested are dropped. */
function entriesOf(
  { threatsOf, isSilent, cacheMs }: SearchAnswer,
  prefixes: readonly string[],
  nowMs: number,
): ReadonlyMap<string, PrefixEntry> {
  const keptMs = Math.min(Math.max(cacheMs, isSilent ? SILENCE_MS_MIN : CACHE_MS_MIN), CACHE_MS_MAX);
  return new Map(
    prefixes.map((prefix) => [
      prefix,
      {
        threatsOf: new Map([...threatsOf].filter(([hash]) => hash.startsWith(prefix))),
        untilMs: nowMs + keptMs,
      },
    ]),
  );
}

function verdictOf(
  expressions: readonly Expression[],
  known: ReadonlyMap<string, PrefixEntry>,
  nowMs: number,
): Answer<ScannerVerdict> {
  const matches = expressions.flatMap(({ text, hash, prefix }) => {
    const threats = known.get(prefix)?.threatsOf.get(hash);
    return threats === undefined ? [] : [{ text, threats }];
  });
  const untilMs = Math.min(...[...known.values()].map((entry) => entry.untilMs));
  return {
    value: {
      threats: [...new Set(matches.flatMap(({ threats }) => threats))],
      matched: matches[0]?.text.slice(0, MATCHED_MAX) ?? null,
    },
    freshMs: Math.max(untilMs - nowMs, CACHE_MS_MIN),
  };
}

const expressionsOf = (key: ScannerKey): readonly Expression[] =>
  urlExpressions(urlOf(key)).map((text) => {
    const hash = sha256(text);
    return { text, hash, prefix: hash.slice(0, PREFIX_DIGITS) };
  });

const urlOf = (key: ScannerKey): string => (key.kind === 'url' ? key.value : `http://${hostText(key)}/`);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const hostText = (host: Ip | Domain): string =>
  host.kind === 'ip' && host.version === 6 ? `[${host.value}]` : host.value;
