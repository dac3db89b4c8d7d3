import { parseIndicator } from '../../server/src/domain/indicator/index.ts';
import { routedAddresses, visitedHosts } from './evaluation-data.ts';
import type { Judge, Sample } from './judge-corpus.ts';
import { type LevelCounts, noLevels } from './level-counts.ts';

/** How presumably honest hosts and addresses are judged. No list of good names took part in choosing them. */
export type Visits = {
  readonly visited: { readonly hosts: number; readonly levels: LevelCounts; readonly listed: LevelCounts };
  readonly routed: { readonly addresses: number; readonly levels: LevelCounts };
};

export const ROUTED = 300_000;

/** `visited.listed` counts the visited hosts that a threat list names, to show how many listed hosts are visited. */
export async function measureVisits(
  judge: Pick<Judge, 'sample'>,
  data: string,
  routedCount = ROUTED,
): Promise<Visits> {
  const visited = { hosts: 0, levels: noLevels(), listed: noLevels() };
  for await (const host of visitedHosts(data)) {
    const sample = sampleOf(judge, host);
    if (sample === null) continue;
    const { level } = sample.assessment.verdict.riskScore;
    visited.hosts += 1;
    visited.levels[level] += 1;
    if (sample.own.length > 0) visited.listed[level] += 1;
  }
  const routed = { addresses: 0, levels: noLevels() };
  for (const address of await routedAddresses(data, routedCount)) {
    const sample = sampleOf(judge, address);
    // A listed address is accused, so its level is no false alarm.
    if (sample === null || sample.threats.length > 0) continue;
    routed.addresses += 1;
    routed.levels[sample.assessment.verdict.riskScore.level] += 1;
  }
  return { visited, routed };
}

function sampleOf(judge: Pick<Judge, 'sample'>, value: string): Sample | null {
  const parsed = parseIndicator(value);
  return parsed.ok ? judge.sample(parsed.indicator) : null;
}
