import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { OFFLINE_FILES } from '../../server/src/capabilities/catalogue/index.ts';
import { type Indicator, parseIndicator } from '../../server/src/domain/indicator/index.ts';
import { COMMAND_SERVER, LISTED_NOW } from '../../server/src/domain/signals/index.ts';
import { catalogueSources, type SourceState } from './catalogue-sources.ts';
import { DAY_S, HISTORIES, type HistoryName, type PastEntry, pastEntries } from './evaluation-data.ts';
import { MemoryReplica } from './memory-replica.ts';

/** The source of each history. Maltrail's history does not name folders, so all of it counts as malware. */
export const SOURCE_OF: Readonly<Record<HistoryName, string>> = {
  'threatfox-ips': 'threatfox',
  'c2intelfeeds-ips': 'c2intelfeeds',
  'c2intelfeeds-unverified-ips': 'c2intelfeeds-unverified',
  'c2intelfeeds-domains': 'c2intelfeeds',
  'c2-tracker-ips': 'c2-tracker',
  'data-shield-ips': 'data-shield',
  'phishtank-hosts': 'phishtank',
  'maltrail-trails': 'maltrail-malware',
};
/** Measured by the lineage job on the whole corpus: this list names addresses later than abuse.ch does. */
const ECHOES: Readonly<Record<string, SourceState['echoes']>> = { 'maltrail-malware': { ip: 'abuse-ch' } };

/** Only entries that a list first names within this many days after the judged day count as foreseen or missed. */
export const LEAD_DAYS = 30;
/** A delisted entry fades; after this many days nothing is left of it. */
const FADED_DAYS = 90;

export type Ahead = { readonly history: HistoryName; readonly indicator: Indicator };
export type PastCorpus = {
  readonly day: number;
  readonly replica: MemoryReplica;
  readonly listed: Readonly<Record<HistoryName, number>>;
  /** Entries that a list did not hold on the day itself and first named within LEAD_DAYS after it. */
  readonly ahead: readonly Ahead[];
  /** What a signal may be trained on: IPv4 addresses listed in the last 90 days, each with its bits. */
  readonly addresses: ReadonlyMap<number, number>;
  /** By source, the names it first listed before the day, and on which day; null: before its history begins. */
  readonly names: ReadonlyMap<string, readonly PastName[]>;
};
export type PastName = { readonly name: string; readonly since: number | null };
const COMMAND_SERVERS: ReadonlySet<HistoryName> = new Set([
  'threatfox-ips',
  'c2intelfeeds-ips',
  'c2intelfeeds-unverified-ips',
  'c2-tracker-ips',
]);

/** The state of eight lists on a past day. Lists that guard and label are those of the data set, without a history. */
export async function openPastCorpus(data: string, day: number): Promise<PastCorpus> {
  const context = OFFLINE_FILES.filter(
    ({ path, source, role }) =>
      source !== null &&
      role === 'part' &&
      /^(allowlists|warninglists)\//.test(path) &&
      existsSync(join(data, path)),
  );
  const registry = catalogueSources(
    statesAt(
      day,
      context.map(({ source }) => source as string),
    ),
  );
  const numberOf = new Map(registry.map(({ id, number }) => [id, number]));
  const replica = new MemoryReplica(registry);
  for (const { path, source } of context)
    addContext(replica, join(data, path), numberOf.get(source ?? '') ?? 0);
  const listed = Object.fromEntries(HISTORIES.map((name) => [name, 0])) as Record<HistoryName, number>;
  const ahead: Ahead[] = [];
  const addresses = new Map<number, number>();
  const names = new Map<string, PastName[]>(Object.values(SOURCE_OF).map((id) => [id, []]));
  for (const history of HISTORIES) {
    const sourceNumber = numberOf.get(SOURCE_OF[history]) as number;
    for await (const entry of pastEntries(data, history)) {
      const indicator = indicatorOf(entry.value);
      if (indicator === null) continue;
      const since = entry.periods[0]?.from ?? null;
      if (indicator.kind === 'domain' && (since === null || since <= day))
        names.get(SOURCE_OF[history])?.push({ name: indicator.value, since });
      const now = stateAt(entry, day);
      if (now === null) continue;
      if (now.kind === 'ahead') {
        ahead.push({ history, indicator });
        continue;
      }
      if (now.kind === 'listed') listed[history] += 1;
      if (indicator.kind === 'ip' && indicator.version === 4) {
        const bits =
          (now.kind === 'listed' ? LISTED_NOW : 0) | (COMMAND_SERVERS.has(history) ? COMMAND_SERVER : 0);
        addresses.set(indicator.address, (addresses.get(indicator.address) ?? 0) | bits);
      }
      replica.add(indicator, {
        sourceNumber,
        firstSeenS: (now.since ?? day) * DAY_S,
        lastSeenS: now.kind === 'left' ? now.to * DAY_S : 0,
        confidence: -1,
        dating: now.since === null ? 'undated' : 'sighted',
        isDelisted: now.kind === 'left',
      });
    }
  }
  return { day, replica, listed, ahead, addresses, names };
}

function statesAt(day: number, context: readonly string[]): ReadonlyMap<string, SourceState> {
  const state = { dataAtS: day * DAY_S, lastFetchAtS: day * DAY_S, cluster: null, echoes: {}, entries: 1 };
  const ids = new Set([...Object.values(SOURCE_OF), ...context]);
  return new Map([...ids].map((id) => [id, { ...state, echoes: ECHOES[id] ?? {} }]));
}

type StateAt =
  | { readonly kind: 'listed'; readonly since: number | null }
  | { readonly kind: 'left'; readonly since: number | null; readonly to: number }
  | { readonly kind: 'ahead' };

/** Null for an entry delisted more than FADED_DAYS before the day or first named more than LEAD_DAYS after it. */
function stateAt({ periods }: PastEntry, day: number): StateAt | null {
  const begun = periods.filter(({ from }) => from === null || from <= day);
  const last = begun.at(-1);
  if (last === undefined) {
    const first = periods[0]?.from ?? 0;
    return first <= day + LEAD_DAYS ? { kind: 'ahead' } : null;
  }
  if (last.to === null || last.to > day) return { kind: 'listed', since: last.from };
  return day - last.to <= FADED_DAYS ? { kind: 'left', since: last.from, to: last.to } : null;
}

const ADDRESS_AND_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/;

/** Null for a Maltrail trail with a path but without a scheme, which is no indicator. */
function indicatorOf(value: string): Indicator | null {
  const text = ADDRESS_AND_PORT.exec(value)?.[1] ?? value;
  if (text.includes('/') && !text.startsWith('http')) return null;
  const parsed = parseIndicator(text);
  return parsed.ok ? parsed.indicator : null;
}

function addContext(replica: MemoryReplica, path: string, sourceNumber: number): void {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const { list } = JSON.parse(text) as { list: readonly string[] };
  for (const value of list) {
    const parsed = parseIndicator(value.replace(/^\./, ''));
    if (!parsed.ok) continue;
    replica.add(parsed.indicator, {
      sourceNumber,
      firstSeenS: 0,
      lastSeenS: 0,
      confidence: -1,
      dating: 'undated',
      isDelisted: false,
    });
  }
}
