import type { Fold, Listing, Source } from '#capabilities/corpus/index.ts';
import { createVerdictMemo } from '#capabilities/judging/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import type { RiskLevel } from '#domain/scoring/index.ts';
import type { Db } from '#platform/postgres.ts';
import { type CaseReader, createCaseReader, type StandingSources } from './class-of-key.ts';
import { judgeClass } from './judge-class.ts';
import { type StoodAs, stoodAs } from './store.ts';

/** One indicator whose listings changed. `before` null: it was not accused; `after` null: it is no longer. */
export type Move = { readonly key: Buffer; readonly before: StoodAs | null; readonly after: StoodAs | null };

/** An indicator as a check would judge it now. */
export type CaseNow = {
  readonly indicator: Indicator;
  readonly listings: readonly Listing[];
  readonly level: RiskLevel;
  readonly score: number;
  readonly sharedScore: number;
};

export type News = {
  readonly moves: readonly Move[];
  /** Merges that are told as one summary. */
  readonly folds: readonly Fold[];
  readonly sources: readonly Source[];
  readonly describe: (key: Buffer) => CaseNow | null;
};

/** Called once per run; the function it returns is called in the transaction of each batch that moved an indicator. */
export type NewsTeller = () => (tx: Db, news: News) => Promise<void>;

export type ChangedClass = { readonly key: Buffer; readonly from: number | null; readonly to: number | null };

/** Reports the indicators of a batch whose listings changed. */
export type TellMoves = (tx: Db, changed: readonly ChangedClass[], folds: readonly Fold[]) => Promise<void>;

type TellDeps = StandingSources & {
  readonly clock: { readonly now: () => number };
  readonly news?: NewsTeller;
};

export function createTellMoves(deps: TellDeps): TellMoves | null {
  const tell = deps.news?.();
  if (tell === undefined) return null;
  const read = createCaseReader(deps);
  return async (tx, changed, folds) => {
    const ids = [...new Set(changed.flatMap(({ from, to }) => [from, to]))].filter((id) => id !== null);
    const stood = ids.length === 0 ? new Map<number, StoodAs>() : await stoodAs(tx, ids);
    const moves = changed.flatMap((each) => moveOf(each, stood));
    if (moves.length === 0 && folds.every(({ wasTold }) => wasTold)) return;
    const describe = caseReader(deps, read);
    await tell(tx, { moves, folds, sources: deps.corpus.registry().sources, describe });
  };
}

/** Leaves out indicators that only aged, or whose former class did not store its listings. */
function moveOf({ key, from, to }: ChangedClass, stood: ReadonlyMap<number, StoodAs>): readonly Move[] {
  const before = from === null ? null : stood.get(from);
  const after = to === null ? null : stood.get(to);
  if (before === undefined || after === undefined || before?.listed === after?.listed) return [];
  return [{ key, before, after }];
}

function caseReader({ clock }: TellDeps, read: CaseReader): News['describe'] {
  const memo = createVerdictMemo();
  return (key) => {
    const found = read(key, clock.now());
    if (found === null) return null;
    const { inner: indicator, input } = found;
    const { all, shared } = judgeClass(
      input,
      memo.corpusFacts(input.registry, input.subject.kind, input.nowMs),
    );
    return {
      indicator,
      listings: input.listings,
      level: all.level,
      score: all.score,
      sharedScore: shared.score,
    };
  };
}
