import { parseIndicator } from '../../server/src/domain/indicator/index.ts';
import { routedAddresses, visitedHosts } from './evaluation-data.ts';
import type { Judge, Sample } from './judge-corpus.ts';
import { type LevelCounts, noLevels } from './level-counts.ts';

/** How honest hosts and addresses are judged that no list of good names helps to choose. */
export type Visits = {
  readonly visited: { readonly hosts: number; readonly levels: LevelCounts; readonly listed: LevelCounts };
  readonly routed: { readonly addresses: number; readonly levels: LevelCounts };
};

export const ROUTED = 300_000;

/** `listed` counts the visited hosts that a threat list names itself: the share of each level that people visit. */
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
    // What a list names is an accusation to be judged, and no false alarm of a signal.
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
