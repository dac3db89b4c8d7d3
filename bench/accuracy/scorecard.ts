import type { Source } from '../../server/src/capabilities/corpus/index.ts';
import { type ListedType, lineageOf } from '../../server/src/domain/scoring/index.ts';
import { typeOf } from './held-out.ts';
import type { Sample } from './judge-corpus.ts';

export type SourceScore = {
  readonly id: string;
  readonly category: string;
  readonly letter: string;
  readonly fpRisk: string;
  readonly lineage: string;
  readonly isAggregate: boolean;
  entries: number;
  corroborated: number;
  unique: number;
  /** Entries among the first 10,000 sites or inside a service's own range; a page of such a site does not count. */
  knownGood: number;
  points: number;
};

const RANK_MAX = 10_000;

export class Scorecard {
  readonly #bySource = new Map<string, SourceScore>();

  add(sample: Sample): void {
    const { own, threats, assessment } = sample;
    const { factors } = assessment.verdict.riskScore;
    const lineages = new Set(
      threats
        .filter(({ source }) => !source.aggregate)
        .map(({ source }) => lineageOf(source, typeOf(sample))),
    );
    const isGood = isKnownGood(sample);
    for (const { source } of own) {
      const score = this.#scoreOf(source, typeOf(sample));
      score.entries += 1;
      if (threats.length === 1) score.unique += 1;
      if (lineages.size > (lineages.has(score.lineage) ? 1 : 0)) score.corroborated += 1;
      if (isGood) score.knownGood += 1;
      for (const { name, contribution } of factors) if (name === source.id) score.points += contribution;
    }
  }

  scores(): readonly SourceScore[] {
    return [...this.#bySource.values()].sort((a, b) => b.entries - a.entries || (a.id < b.id ? -1 : 1));
  }

  #scoreOf(source: Source, type: ListedType): SourceScore {
    let score = this.#bySource.get(source.id);
    if (score === undefined) {
      const { id, category, letter, fpRisk } = source;
      score = {
        id,
        category,
        letter,
        fpRisk,
        lineage: lineageOf(source, type),
        isAggregate: source.aggregate,
        entries: 0,
        corroborated: 0,
        unique: 0,
        knownGood: 0,
        points: 0,
      };
      this.#bySource.set(id, score);
    }
    return score;
  }
}

/** Whether an entry counts for `disp` of scoring 7: its source should not have listed it. */
const isKnownGood = ({ assessment: { context } }: Sample): boolean =>
  context.guards.some(
    ({ guard, scope }) =>
      scope === 'itself' &&
      (guard === 'service' || (guard === 'popularity' && (context.rankBucket ?? RANK_MAX + 1) <= RANK_MAX)),
  );
