import { exact, plural, short } from '../../words/numbers.ts';
import { relativeTime } from '../../words/time.ts';

/** What `/stats` tells; the last three came later, so a service may not send them. */
export type Truth = {
  readonly totalThreats: number;
  readonly indicators?: number;
  readonly sourceCount?: number;
  readonly newestDataAt?: string | null;
};

/** One line of what this service knows, and nothing that it did not say: "1.9M indicators, newest 4 min old, 41 sources". */
export function truthLine(
  { totalThreats, indicators, sourceCount, newestDataAt }: Truth,
  nowMs: number,
): { readonly text: string; readonly title: string } {
  const count = indicators ?? totalThreats;
  const noun = indicators === undefined ? 'threat' : 'indicator';
  const newestMs = Date.parse(newestDataAt ?? '');
  const parts = [
    `${short(count)} listed ${noun}${count === 1 ? '' : 's'}`,
    Number.isNaN(newestMs) ? null : `newest ${relativeTime(newestMs, nowMs)}`,
    sourceCount === undefined ? null : plural(sourceCount, 'source'),
  ];
  if (count === 0)
    return {
      text: 'Nothing is listed here yet: every answer would be unknown. Load sources first.',
      title: '0',
    };
  return { text: `${parts.filter((part) => part !== null).join(', ')}.`, title: exact(count) };
}
