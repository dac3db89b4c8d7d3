import { listSources } from '#capabilities/corpus/index.ts';
import type { Db } from '#platform/postgres.ts';
import { ENTRIES_MIN, priorFor, type Standing, standingOf } from './judged-source.ts';
import { catalogueSays, type DayRow, latestDays } from './store.ts';

export type ReportedReliability = {
  readonly id: string;
  readonly letter: string;
  readonly prior: number;
  readonly current: number;
  readonly conf: number;
  readonly disp: number;
  /** `YYYY-MM-DD` of the last night on which it was observed; null: never. */
  readonly day: string | null;
  readonly standing: Standing;
  readonly why: string;
};

/** Every threat source with its reliability and the reason, the largest changes first. */
export async function readReliability(db: Db): Promise<readonly ReportedReliability[]> {
  const says = new Map((await catalogueSays(db)).map((row) => [row.sourceNumber, row.reliability]));
  const days = new Map((await latestDays(db, null)).map((row) => [row.sourceNumber, row]));
  const reported = (await listSources(db)).flatMap((source): ReportedReliability[] => {
    const [catalogue, last] = [says.get(source.number), days.get(source.number)];
    const prior = priorFor(source, catalogue);
    const standing = standingOf(source, { prior, isInCatalogue: catalogue !== undefined, last });
    if (standing === 'not-a-threat') return [];
    return [
      {
        id: source.id,
        letter: source.letter,
        prior: thousandths(prior),
        current: thousandths(source.reliability),
        conf: thousandths(last?.conf ?? 0),
        disp: thousandths(last?.disp ?? 0),
        day: last?.day ?? null,
        standing,
        why: whyOf(standing, last),
      },
    ];
  });
  const moved = ({ current, prior }: ReportedReliability) => Math.abs(current - prior);
  return reported.sort((a, b) => moved(b) - moved(a) || (a.id < b.id ? -1 : 1));
}

function whyOf(standing: Standing, last: DayRow | undefined): string {
  if (standing === 'operator') return 'Set by the operator; nothing is learned.';
  if (standing === 'off') return 'Not in use.';
  if (standing === 'too-few-entries') return `Fewer than ${ENTRIES_MIN} entries are too few to learn from.`;
  if (last === undefined) return 'Not observed yet; the worker does this every night.';
  if (last.sampled === 0) return 'Nothing new in 14 days.';
  return `Of ${last.sampled} new entries ${last.confirmed} are confirmed by another lineage, ${last.disputed} are disputed.`;
}

const thousandths = (value: number): number => Math.round(value * 1_000) / 1_000;
