import type { ListedRow, Source } from '#capabilities/corpus/index.ts';
import { type Indicator, isBogon, isPrivateSuffix, parseIndicator } from '#domain/indicator/index.ts';
import { ServiceError } from '#platform/errors.ts';
import { entriesOfPlainLine } from './formats/plain-list.ts';
import type { Lines } from './read-lines.ts';

/** Why an entry that is an indicator is still not listed; constant, so that a run can count them. */
export const REFUSALS = {
  bogon: 'Private, reserved or otherwise special-purpose addresses are never listed.',
  platform: 'This is a name under which strangers get names; a threat listing of it would hit them all.',
  tooWide: 'A range wider than /8 (IPv4) or /16 (IPv6) is a mistake, not an opinion.',
} as const;

export type Rejections = readonly {
  readonly reason: string;
  readonly count: number;
  readonly example: string;
}[];

const IPV4_BITS_MIN = 8;
const IPV6_BITS_MIN = 16;
const EXAMPLE_CHARS_MAX = 80;
const LINES_MAX = 100_000_000;
/** More than this share of rejected entries means the file is something else. */
const REJECTED_SHARE_MAX = 0.5;
const HTML_START = /^\s*<(?:!doctype|html|head|body|\?xml)/i;

/** Turns lines into rows and counts what it does not let through; nothing is dropped silently. */
export class SnapshotReader {
  lines = 0;
  accepted = 0;
  rejected = 0;
  readonly #reasons = new Map<string, { count: number; example: string }>();
  readonly #sourceId: string;
  readonly #threatClass: Source['threatClass'];

  constructor(sourceId: string, threatClass: Source['threatClass']) {
    this.#sourceId = sourceId;
    this.#threatClass = threatClass;
  }

  get rejections(): Rejections {
    return [...this.#reasons]
      .map(([reason, seen]) => ({ reason, ...seen }))
      .sort((a, b) => b.count - a.count);
  }

  /** Throws when the file is no list, at once or at its end: whatever took the rows so far must then forget them. */
  async *rows(batches: Lines): AsyncGenerator<ListedRow> {
    let isFirst = true;
    for await (const batch of batches)
      for (const line of batch) {
        this.lines += 1;
        if (isFirst && line.trim() !== '') {
          isFirst = false;
          if (HTML_START.test(line)) throw this.#refuse('is a web page, not a list');
        }
        if (this.lines > LINES_MAX) throw this.#refuse(`has more than ${LINES_MAX} lines`);
        for (const entry of entriesOfPlainLine(line)) {
          const indicator = this.#read(entry);
          if (indicator !== null) yield { indicator };
        }
      }
    if (this.accepted === 0 && this.rejected === 0) throw this.#refuse('is empty');
    if (this.rejected > (this.accepted + this.rejected) * REJECTED_SHARE_MAX)
      throw this.#refuse(
        `was rejected: ${this.rejected} of ${this.accepted + this.rejected} entries are not usable (most often: ${this.rejections[0]?.reason})`,
      );
  }

  #read(entry: string): Indicator | null {
    const parsed = parseIndicator(entry);
    const refusal = parsed.ok ? refusalOf(parsed.indicator, this.#threatClass) : parsed.reason;
    if (parsed.ok && refusal === null) {
      this.accepted += 1;
      return parsed.indicator;
    }
    this.rejected += 1;
    const reason = refusal ?? 'unknown';
    const seen = this.#reasons.get(reason);
    if (seen === undefined)
      this.#reasons.set(reason, { count: 1, example: entry.slice(0, EXAMPLE_CHARS_MAX) });
    else seen.count += 1;
    return null;
  }

  #refuse(what: string): ServiceError {
    return new ServiceError(
      'Unprocessable Content',
      `The list for '${this.#sourceId}' ${what}; its last good content was kept.`,
    );
  }
}

function refusalOf(indicator: Indicator, threatClass: Source['threatClass']): string | null {
  switch (indicator.kind) {
    case 'ip':
      return isBogon(indicator) ? REFUSALS.bogon : null;
    case 'cidr': {
      if (indicator.bits < (indicator.version === 4 ? IPV4_BITS_MIN : IPV6_BITS_MIN)) return REFUSALS.tooWide;
      return isBogon(indicator) ? REFUSALS.bogon : null;
    }
    case 'url':
      return indicator.host.kind === 'ip' && isBogon(indicator.host) ? REFUSALS.bogon : null;
    case 'domain':
      // What such a name is (dynamic DNS, a shortener) may still be said of it; parents that are shared never match.
      return threatClass === 'threat' && isPrivateSuffix(indicator.value) ? REFUSALS.platform : null;
    default:
      return null;
  }
}
