import type { Source } from '#capabilities/corpus/index.ts';
import { judgeOfGroups, type ListedAlike } from './count-levels.ts';

/** An address and its listings, as the scan writes them. */
export type ListedAddress = Pick<ListedAlike, 'kind' | 'signature'> & { readonly value: string };

export type AccusedExample = { readonly value: string; readonly sourceCount: number };

/** Levels that an example may have, worst first. A weaker one is a poor example and may change with the next fetch. */
const LEVELS: readonly string[] = ['critical', 'high'];

/**
 * The address that shows best what an accusation looks like: the worst level, then the most sources. At least one of
 * them must allow that its entries are passed on, because the answer is public.
 */
export function chooseAccused(
  addresses: readonly ListedAddress[],
  sources: readonly Source[],
  nowMs: number,
): AccusedExample | null {
  const judge = judgeOfGroups(sources, nowMs);
  const accused = addresses.flatMap(({ value, kind, signature }) => {
    const judged = judge({ kind, bits: 0, signature });
    const rank = LEVELS.indexOf(judged?.level ?? '');
    if (judged === null || rank === -1) return [];
    if (!judged.accusers.some(({ redistributable }) => redistributable)) return [];
    return [{ value, rank, sourceCount: judged.accusers.length }];
  });
  const [best] = accused.toSorted((a, b) => a.rank - b.rank || b.sourceCount - a.sourceCount);
  return best === undefined ? null : { value: best.value, sourceCount: best.sourceCount };
}
