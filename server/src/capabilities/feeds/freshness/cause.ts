import type { Freshness } from './states.ts';

/** Why a source is not fresh, so that a page can say it once for all sources that share it. */
export const CAUSES = [
  'key',
  'refused',
  'gone',
  'busy',
  'publisher',
  'unreachable',
  'content',
  'rolled-back',
  'ours',
  'waiting',
  'overdue',
  'old',
  'expired',
] as const;
export type Cause = (typeof CAUSES)[number];

/** Maps the stored sentence of a run to its cause; the tests send every sentence of the pipeline through this table. */
const SAID: readonly (readonly [Cause, RegExp])[] = [
  ['key', /^This source needs a key/],
  ['refused', /^The publisher (?:refuses us|does not accept the key)/],
  ['gone', /^The publisher no longer has this file/],
  ['busy', /^The publisher says we ask too often/],
  ['publisher', /^The publisher (?:has a problem of its own|answered \d)/],
  [
    'unreachable',
    /^The publisher (?:did not answer|could not be reached)|^The download was (?:too slow|cut off)/,
  ],
  ['rolled-back', /^Rolled back by/],
  ['ours', /^The run (?:failed on our side|was stopped)|^The download could not be written/],
];

/** Everything else that a run says of a download is about its content: quarantine, or a format that cannot be read. */
export const causeOfProblem = (problem: string): Cause =>
  SAID.find(([, starts]) => starts.test(problem))?.[0] ?? 'content';

/** The end of a run's reason, which says what content is still listed; cut off, because the page has columns for it. */
const STAYS =
  / (?:Nothing has been loaded yet\.|The last good content of \d{4}-\d\d-\d\d \([\d,]+ entries\) stays\.)$/;

export const withoutContent = (problem: string): string => problem.replace(STAYS, '');

/** The cause of a status: by the stored problem, or without one by the status itself; null when fresh. */
export function causeOf(status: Freshness, problem: string | null, isOverdue: boolean): Cause | null {
  if (status === 'fresh') return null;
  if (problem !== null) return causeOfProblem(problem);
  if (status === 'missing') return 'waiting';
  return isOverdue ? 'overdue' : 'old';
}
