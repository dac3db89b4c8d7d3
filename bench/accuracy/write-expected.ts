import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answered } from './judge-expected.ts';

const RESULTS = join(import.meta.dirname, '../results/expected.json');
const EXPLAINED = join(import.meta.dirname, 'expected/differences.tsv');

/** The answers on the whole corpus that differ from what an expert expects. */
export type Differences = {
  readonly asked: number;
  readonly differences: readonly {
    readonly value: string;
    readonly expected: string;
    readonly given: string;
    readonly score: number;
  }[];
};

export const differencesOf = (answers: readonly Answered[]): Differences => ({
  asked: answers.length,
  differences: answers
    .filter(({ isExpected }) => !isExpected)
    .map(({ expected, word, action, score }) => ({
      value: expected.value,
      expected: `${expected.words.join(' or ')}; ${expected.actions.join(' or ')}`,
      given: `${word}; ${action}`,
      score,
    })),
});

export const keepDifferences = (found: Differences): void =>
  writeFileSync(RESULTS, `${JSON.stringify(found, null, 1)}\n`);

export const readDifferences = (): Differences => JSON.parse(readFileSync(RESULTS, 'utf8')) as Differences;

/** Explanations of the differing answers, written by hand, keyed by value. */
export function readExplanations(): ReadonlyMap<string, string> {
  const [, ...lines] = readFileSync(EXPLAINED, 'utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => line.split('\t') as [string, string]));
}

export function expectedSection({ asked, differences }: Differences): string {
  const why = readExplanations();
  const rows = differences.map(
    ({ value, expected, given, score }) =>
      `| \`${value}\` | ${expected} | ${given} (${score}) | ${why.get(value) ?? ''} |`,
  );
  const right = asked - differences.length;
  return `## Indicators chosen by hand

${asked} indicators of twenty groups have the words and actions that an expert accepts, and why
(\`bench/accuracy/expected/indicators.tsv\`). ${right} of them (${((100 * right) / asked).toFixed(1)} %) are answered so on the whole corpus; these are not:

| indicator | expected | answered (points) | why |
|---|---|---|---|
${rows.join('\n')}`;
}
