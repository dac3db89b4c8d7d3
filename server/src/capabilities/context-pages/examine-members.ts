import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dating } from '#capabilities/corpus/index.ts';
import type { Assessment, Assessor } from '#capabilities/judging/index.ts';
import type { Indicator, Listable } from '#domain/indicator/index.ts';
import { chooseFamilies, type Verdict } from '#domain/scoring/index.ts';
import { firstAccused } from './first-seen.ts';

/** A listed value that belongs to the page. */
export type Candidate = {
  readonly key: Uint8Array;
  readonly indicator: Listable;
  /** In seconds since 1970; 0 when no source gives a date. */
  readonly firstSeenS: number;
  /** What dates the member (O55); null where only its key was read, so that the date comes from its listings. */
  readonly dating: Dating | null;
  /** The member is counted but never named, because no source that lists it is redistributable. */
  readonly isWithheld: boolean;
};

export type Examined = Candidate & {
  /** Null for a kind that /check does not judge. */
  readonly verdict: Verdict | null;
  readonly families: readonly string[];
};

/** Other requests are served after this many members; one takes up to 40 us, so they wait at most 4 ms. */
const MEMBERS_PER_TURN = 100;

/** Judges members as /check does, all at the same moment. */
export async function examineMembers(
  assess: Assessor,
  candidates: readonly Candidate[],
  nowMs: number,
): Promise<readonly Examined[]> {
  const examined: Examined[] = [];
  for (const [at, candidate] of candidates.entries()) {
    if (at > 0 && at % MEMBERS_PER_TURN === 0) await nextTurn();
    const { indicator } = candidate;
    examined.push(
      isChecked(indicator)
        ? withVerdict(candidate, assess(indicator, nowMs))
        : { ...candidate, verdict: null, families: [] },
    );
  }
  return examined;
}

function withVerdict(candidate: Candidate, { verdict, listings }: Assessment): Examined {
  const dated = candidate.dating === null ? firstAccused(listings) : null;
  return { ...candidate, ...dated, verdict, families: chooseFamilies(listings) };
}

const CHECKED: ReadonlySet<Listable['kind']> = new Set(['ip', 'domain', 'url', 'hash'] as const);
const isChecked = (indicator: Listable): indicator is Indicator => CHECKED.has(indicator.kind);
