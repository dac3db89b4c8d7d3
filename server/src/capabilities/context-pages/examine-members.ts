import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Assessor } from '#capabilities/check/index.ts';
import type { Indicator, Listable } from '#domain/indicator/index.ts';
import type { Verdict } from '#domain/scoring/index.ts';

/** A listed value that belongs to the page. */
export type Candidate = {
  readonly key: Uint8Array;
  readonly indicator: Listable;
  /** In seconds; 0 when no source says it. */
  readonly firstSeenS: number;
  /** Counted and never named: no source of it may be passed on. */
  readonly isWithheld: boolean;
};

export type Examined = Candidate & {
  /** Null for a kind that /check does not judge. */
  readonly verdict: Verdict | null;
};

/** A member takes up to 40 us, so a check that waits behind them waits for 100 members and not for all. */
const MEMBERS_PER_TURN = 100;

/** The same judge as /check, at one moment for all. */
export async function examineMembers(
  assess: Assessor,
  candidates: readonly Candidate[],
  nowMs: number,
): Promise<readonly Examined[]> {
  const examined: Examined[] = [];
  for (const [at, candidate] of candidates.entries()) {
    if (at > 0 && at % MEMBERS_PER_TURN === 0) await nextTurn();
    const { indicator } = candidate;
    const verdict = isChecked(indicator) ? assess(indicator, nowMs).verdict : null;
    examined.push({ ...candidate, verdict });
  }
  return examined;
}

const CHECKED: ReadonlySet<Listable['kind']> = new Set(['ip', 'domain', 'url', 'hash'] as const);
const isChecked = (indicator: Listable): indicator is Indicator => CHECKED.has(indicator.kind);
