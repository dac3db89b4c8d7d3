import type { ListedRow } from '#capabilities/corpus/index.ts';
import type { Entry, EntryKind, Reason, Sink, SnapshotCounts } from '#capabilities/lists/index.ts';
import {
  type Listable,
  type ParseResult,
  parseAsn,
  parseCrypto,
  parseIndicator,
  parsePhone,
} from '#domain/indicator/index.ts';
import { type AdmitRules, admit, extrasOf, withSighting } from './admit.ts';
import { printOf } from './extras-print.ts';
import type { KnownValues } from './known-values.ts';

const EXAMPLE_CHARS_MAX = 80;
const CANARY_TEXTS_MAX = 10_000;
/** Reasons are constant texts. Should one carry data, reasons above this limit are counted together. */
const REASONS_MAX = 64;
const KINDS = 3;
const OTHER_REASON = 'Other reasons, counted together.';
/** A list has one type when nine entries in ten are of that kind. */
const TYPE_SHARE = 0.9;
/** In the table, values of kinds that `parseIndicator` does not know are marked by a first byte. */
const KIND_MARK: Readonly<Record<EntryKind, string>> = {
  any: '',
  asn: '\x01',
  crypto: '\x02',
  phone: '\x03',
};

type Counted = {
  readonly kind: Reason['kind'];
  readonly reason: string;
  count: number;
  readonly example: string;
};

/** Receives the entries of one snapshot: counts all of them and keeps the rows that PostgreSQL must see. */
export class SnapshotIntake {
  readonly #known: KnownValues;
  readonly #rules: AdmitRules;
  readonly #reasons = {
    rejected: new Map<string, Counted>(),
    unsupported: new Map<string, Counted>(),
    disposed: new Map<string, Counted>(),
  };
  #reasonsCounted = 0;
  readonly #kinds: Partial<Record<Listable['kind'], number>> = {};
  readonly #refusedKinds: Partial<Record<Listable['kind'], number>> = {};
  #rows: ListedRow[] = [];
  #leftOut = 0;
  #accepted = 0;
  #rejected = 0;
  #unsupported = 0;
  #disposed = 0;
  readonly #canaries = new Set<string>();
  #declaredDateMs: number | null = null;

  constructor(known: KnownValues, rules: AdmitRules) {
    this.#known = known;
    this.#rules = rules;
  }

  get lines(): number {
    return this.#accepted + this.#rejected + this.#unsupported + this.#disposed;
  }

  get declaredDateMs(): number | null {
    return this.#declaredDateMs;
  }

  /** Accepted entries that PostgreSQL need not see: unchanged ones, and copies of one that was handed over. */
  get leftOut(): number {
    return this.#leftOut;
  }

  take(): readonly ListedRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  counts(bytes: number): SnapshotCounts {
    return {
      lines: this.lines,
      accepted: this.#accepted,
      rejected: this.#rejected,
      unsupported: this.#unsupported,
      disposed: this.#disposed,
      disposedValues: this.#canaries.size,
      reasons: Object.values(this.#reasons)
        .flatMap((reasons) => [...reasons.values()].map((reason) => ({ ...reason })))
        .sort((a, b) => b.count - a.count),
      kinds: { ...this.#kinds },
      refusedKinds: { ...this.#refusedKinds },
      declaredDateMs: this.#declaredDateMs,
      bytes,
    };
  }

  /** `ip`, `domain`, `url`, `hash`, `email`, `asn`, `crypto` or `phone` when the rows are of one kind, else `mixed`. */
  typeOfRows(): string {
    const counts = Object.entries(this.#kinds);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    for (const [kind, count] of counts) if (count >= total * TYPE_SHARE) return kind;
    return 'mixed';
  }

  /** The sink of one file; `family` applies to entries without a family of their own. */
  sink(family?: string): Sink {
    return {
      entry: (entry) => this.#entry(entry, family),
      unsupported: (reason, example) => {
        this.#unsupported += 1;
        this.#count('unsupported', reason, example);
      },
      rejected: (reason, example) => {
        this.#rejected += 1;
        this.#count('rejected', reason, example);
      },
      dataDate: (ms) => {
        if (Number.isFinite(ms)) this.#declaredDateMs = Math.max(ms, this.#declaredDateMs ?? ms);
      },
    };
  }

  #entry(entry: Entry, family: string | undefined): void {
    const { text, kind = 'any' } = entry;
    const given = extrasOf(entry, family, this.#rules);
    let extras = withSighting(given, text, this.#rules);
    let print = printOf(extras);
    const mark = KIND_MARK[kind];
    const known = this.#known;
    const found = known.find(mark === '' ? text : mark + text);
    // A canonical value parses to itself (property-tested), so it need not be parsed again.
    if (found >= 0 && !known.offer(found, print)) {
      this.#accepted += 1;
      this.#leftOut += 1;
      return;
    }
    const admitted = admit(text, kind, this.#rules);
    if (!admitted.ok) {
      if (admitted.kind === 'disposed') this.#dispose(text);
      else if (admitted.kind === 'unsupported') this.#unsupported += 1;
      else this.#rejected += 1;
      const { strange } = admitted;
      if (strange !== undefined) this.#refusedKinds[strange] = (this.#refusedKinds[strange] ?? 0) + 1;
      this.#count(admitted.kind, admitted.reason, text);
      return;
    }
    this.#accepted += 1;
    const { indicator } = admitted;
    if (this.#rules.sightings !== undefined && indicator.value !== text) {
      extras = withSighting(given, indicator.value, this.#rules);
      print = printOf(extras);
    }
    if (found < 0 && !this.#isNews(indicator.value, indicator.value === text, mark, print)) {
      this.#leftOut += 1;
      return;
    }
    const type = indicator.kind === 'cidr' ? 'ip' : indicator.kind;
    this.#kinds[type] = (this.#kinds[type] ?? 0) + 1;
    this.#rows.push(extras === null ? { indicator } : { indicator, ...extras });
  }

  /** Counts a dropped canary and keeps its spelling; canaries are a few hundred values, so the set stays small. */
  #dispose(text: string): void {
    this.#disposed += 1;
    if (this.#canaries.size < CANARY_TEXTS_MAX) this.#canaries.add(text.trim().toLowerCase());
  }

  /** True: the row is new or changed, so PostgreSQL must see it. `isMissed`: this exact text is known to be absent. */
  #isNews(value: string, isMissed: boolean, mark: string, print: number): boolean {
    const marked = mark === '' ? value : mark + value;
    const found = isMissed ? -1 : this.#known.find(marked);
    return found < 0 ? this.#known.add(marked, print) : this.#known.offer(found, print);
  }

  #count(kind: Reason['kind'], given: string, example: string): void {
    const reasons = this.#reasons[kind];
    const reason = reasons.has(given) || this.#reasonsCounted < REASONS_MAX - KINDS ? given : OTHER_REASON;
    const seen = reasons.get(reason);
    if (seen !== undefined) {
      seen.count += 1;
      return;
    }
    this.#reasonsCounted += 1;
    reasons.set(reason, { kind, reason, count: 1, example: example.slice(0, EXAMPLE_CHARS_MAX) });
  }
}

export function indicatorOfKnown(value: string): Listable {
  const parsed = readMarked(value);
  if (!parsed.ok) throw new Error('A known value no longer parses as an indicator.');
  return parsed.indicator;
}

function readMarked(value: string): ParseResult<Listable> {
  switch (value.charAt(0)) {
    case KIND_MARK.asn:
      return parseAsn(value.slice(1));
    case KIND_MARK.crypto:
      return parseCrypto(value.slice(1));
    case KIND_MARK.phone:
      return parsePhone(value.slice(1));
    default:
      return parseIndicator(value);
  }
}
