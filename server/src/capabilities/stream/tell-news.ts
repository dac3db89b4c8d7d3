import { accuses, type Fold, type Listing, type Source } from '#capabilities/corpus/index.ts';
import type { CaseNow, Move, News, NewsTeller } from '#capabilities/standing/index.ts';
import { isActive, knownSinceS, sightedAtS } from '#domain/scoring/index.ts';
import { STIX_KINDS, stixId } from '#domain/stix/index.ts';
import type { Clock } from '#platform/clock.ts';
import { emitAll, type NewEvent } from '#platform/events.ts';
import { IocPublished, ReputationChanged, Summary, ThreatNew, ThreatUpdated } from './events.ts';
import { SEVERITIES, severityOf, TYPES } from './filter.ts';
import {
  type CategoriesOf,
  categoriesOfAll,
  differenceOf,
  isFolded,
  isPublished,
  newsOf,
} from './news-of.ts';

/** One run sends events for at most this many indicators; the rest of a batch becomes a summary (O13). */
const TOLD_A_RUN = 1_000;
const NAMES_MAX = 20;
const CATEGORIES_MAX = 64;

/** Writes the events of a batch of moves to the outbox, in the transaction that stores the moves. */
export const createNewsTeller =
  ({ clock }: { readonly clock: Pick<Clock, 'now'> }, toldMax = TOLD_A_RUN): NewsTeller =>
  () => {
    let left = toldMax;
    return async (tx, news) => {
      const desk = new Desk(news, new Date(clock.now()));
      const folded = new Set(news.folds.map(({ sourceNumber }) => sourceNumber));
      const moves = news.moves.filter((move) => !isFolded(move, folded));
      const events = news.folds.flatMap((fold) => (fold.wasTold ? [] : desk.foldEvent(fold)));
      let at = 0;
      for (; at < moves.length && left > 0; at += 1) {
        const told = desk.moveEvents(moves[at] as Move);
        if (told.length > 0) left -= 1;
        events.push(...told);
      }
      events.push(...desk.restEvents(moves.slice(at)));
      await emitAll(tx, events);
    };
  };

/** Turns one batch of news into events. */
class Desk {
  readonly #news: News;
  readonly #at: Date;
  readonly #sources: ReadonlyMap<number, Source>;

  constructor(news: News, at: Date) {
    this.#news = news;
    this.#at = at;
    this.#sources = new Map(news.sources.map((source) => [source.number, source]));
  }

  readonly #categoriesOf: CategoriesOf = (number) => categoriesOfSource(this.#sources.get(number));

  /** The events about one indicator: none, one, or two if it also enters a shared collection. */
  moveEvents({ key, before, after }: Move): readonly NewEvent[] {
    const now = this.#news.describe(key);
    if (now === null) return [];
    const sources = now.listings.filter(isAccusation).map(({ source }) => source.number);
    const stands = { level: now.level, score: now.score, sources: sources.sort((a, b) => a - b) };
    const news = newsOf(before, stands, this.#categoriesOf);
    const payload = this.#payloadOf(now, before?.sources ?? []);
    const published = isPublished(before, now.sharedScore) ? collectionOf(now, payload.categories) : null;
    const events: NewEvent[] = [];
    if (news?.type === 'threat.new') events.push(this.#event(ThreatNew, payload));
    if (news?.type === 'threat.updated')
      events.push(this.#event(ThreatUpdated, { ...payload, changed: news.changed }));
    if (news?.type === 'reputation.changed' && before !== null) {
      const was = { previousScore: before.score, previousLevel: before.level };
      const reason = this.#reasonOf(before, after === null ? null : stands);
      events.push(this.#event(ReputationChanged, { ...payload, ...was, reason }));
    }
    if (published !== null) events.push(this.#event(IocPublished, { ...payload, ...published }));
    return events;
  }

  /** One event for a whole merge. */
  foldEvent({ sourceNumber, reason }: Fold): readonly NewEvent[] {
    const source = this.#sources.get(sourceNumber);
    if (source === undefined || !accuses(source)) return [];
    const { id, name, entries } = source;
    const what = reason === 'first-load' ? 'was loaded for the first time' : 'was released by an operator';
    return [
      this.#event(Summary, {
        severity: 'critical',
        categories: categoriesOfSource(source).slice(0, CATEGORIES_MAX),
        reason,
        message: `${name} ${what}: it lists ${entries.toLocaleString('en-US')} indicators.`,
        types: TYPES.filter((type) => type !== 'watchlist.alert'),
        count: entries,
        source: { id, name },
      }),
    ];
  }

  /** The one summary event for all moves beyond the limit of a run. */
  restEvents(moves: readonly Move[]): readonly NewEvent[] {
    const types = new Set<string>();
    const categories = new Set<string>();
    let [count, severity] = [0, 0];
    for (const { before, after } of moves) {
      // An indicator that lost its last listing is not judged here; this placeholder makes the loss a change.
      const stands = after ?? { level: 'inconclusive', score: 0, sources: [] };
      const news = newsOf(before, stands, this.#categoriesOf);
      const isNew = isPublished(before, after?.sharedScore ?? 0);
      if (news !== null) types.add(news.type);
      if (isNew) types.add('ioc.published');
      if (news === null && !isNew) continue;
      count += 1;
      severity = Math.max(severity, SEVERITIES.indexOf(severityOf(stands.level)));
      const named = stands.sources.length > 0 ? stands.sources : (before?.sources ?? []);
      for (const category of categoriesOfAll(named, this.#categoriesOf)) categories.add(category);
    }
    if (count === 0) return [];
    return [
      this.#event(Summary, {
        severity: SEVERITIES[severity],
        categories: [...categories].sort().slice(0, CATEGORIES_MAX),
        reason: 'many-changes',
        message: `${count.toLocaleString('en-US')} more indicators changed at once than are told one by one.`,
        types: TYPES.filter((type) => types.has(type)),
        count,
        source: null,
      }),
    ];
  }

  #event(type: NewEvent['type'], payload: unknown): NewEvent {
    return { type, accountId: null, payload, occurredAt: this.#at };
  }

  #payloadOf({ indicator, listings, level, score }: CaseNow, former: readonly number[]) {
    const accusing = listings.filter(isAccusation);
    const numbers = accusing.length > 0 ? accusing.map(({ source }) => source.number) : former;
    const since = accusing.map(knownSinceS).filter((seconds) => seconds > 0);
    return {
      severity: severityOf(level),
      categories: categoriesOfAll(numbers, this.#categoriesOf).slice(0, CATEGORIES_MAX),
      indicator: { type: indicator.kind, value: indicator.value },
      score,
      level,
      sources: {
        count: accusing.length,
        names: accusing.slice(0, NAMES_MAX).map(({ source }) => source.name),
      },
      firstSeen: since.length === 0 ? null : isoOf(Math.min(...since)),
      lastSeen: isoOf(Math.max(0, ...accusing.map(sightedAtS))),
    };
  }

  #reasonOf(before: Move['before'], after: { readonly sources: readonly number[] } | null): string {
    const { added, removed } = differenceOf(before, after);
    const parts = [
      ...(added.length === 0 ? [] : [`now listed by ${this.#namesOf(added)}`]),
      ...(removed.length === 0 ? [] : [`no longer listed by ${this.#namesOf(removed)}`]),
    ];
    const text = parts.length === 0 ? 'lists that bear on it have changed' : parts.join(', ');
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  }

  #namesOf(numbers: readonly number[]): string {
    const names = numbers.slice(0, 3).map((number) => this.#sources.get(number)?.name ?? 'a former source');
    const more = numbers.length - names.length;
    return more === 0 ? names.join(' and ') : `${names.join(', ')} and ${more} more`;
  }
}

const isAccusation = (listing: Listing): boolean => accuses(listing.source) && isActive(listing);

const categoriesOfSource = (source: Source | undefined): readonly string[] =>
  source === undefined ? [] : [...new Set([source.category, ...source.categories])].sort();

const isoOf = (seconds: number): string | null =>
  seconds > 0 ? new Date(seconds * 1_000).toISOString() : null;

/** The shared TAXII collection and the STIX id of an indicator; null if no shared collection holds it. */
function collectionOf({ indicator }: CaseNow, categories: readonly string[]) {
  const kind =
    STIX_KINDS.find((each) => each === indicator.kind) ?? (indicator.kind === 'cidr' ? 'ip' : null);
  if (kind === null) return null;
  const collection = {
    ip: 'malicious-ips',
    domain: 'malicious-domains',
    url: null,
    hash: categories.includes('c2') ? 'c2-indicators' : null,
  }[kind];
  const other = categories.includes('phishing') ? 'phishing-indicators' : null;
  const named = collection ?? other;
  return named === null ? null : { collection: named, stixId: stixId(kind, indicator.value) };
}
