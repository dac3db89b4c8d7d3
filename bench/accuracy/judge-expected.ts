import { parseIndicator } from '../../server/src/domain/indicator/index.ts';
import { EXPECTED_GROUPS, type Expected, stem } from './expected-table.ts';
import type { Judge } from './judge-corpus.ts';

export type Answered = {
  readonly expected: Expected;
  readonly word: string;
  readonly action: string;
  readonly score: number;
  /** The first reason of the verdict and its factors, which explain a difference to a reader. */
  readonly reason: string;
  readonly isExpected: boolean;
};

export function judgeExpected(judge: Judge, rows: readonly Expected[]): readonly Answered[] {
  return rows.map((expected) => {
    const parsed = parseIndicator(expected.value);
    if (!parsed.ok) throw new Error(`${expected.value} is no indicator: ${parsed.reason}.`);
    const { verdict } = judge.sample(parsed.indicator).assessment;
    const { word, score, factors } = verdict.riskScore;
    const action = verdict.evidence.recommendedAction;
    return {
      expected,
      word,
      action,
      score,
      reason: [
        verdict.evidence.reasons[0] ?? '',
        factors.map(({ name, contribution }) => `${name} ${contribution}`).join(', '),
      ]
        .filter((part) => part !== '')
        .join(' | '),
      isExpected: expected.words.includes(stem(word)) && expected.actions.includes(action),
    };
  });
}

export const shareExpected = (answers: readonly Answered[]): number =>
  answers.filter(({ isExpected }) => isExpected).length / answers.length;

/** One line for each difference, then the share of each group and of all. */
export function linesOf(answers: readonly Answered[]): readonly string[] {
  const differences = answers
    .filter(({ isExpected }) => !isExpected)
    .map(
      ({ expected, word, action, score, reason }) =>
        `${expected.group}\t${expected.value}\texpected ${expected.words.join('|')} (${expected.actions.join('|')})\tgot ${word} (${action}), ${score}\t${reason}`,
    );
  const groups = EXPECTED_GROUPS.map((group) => {
    const of = answers.filter(({ expected }) => expected.group === group);
    return `group ${group} ${of.filter(({ isExpected }) => isExpected).length} of ${of.length}`;
  });
  return [...differences, ...groups, `share expected ${shareExpected(answers).toFixed(3)}`];
}
