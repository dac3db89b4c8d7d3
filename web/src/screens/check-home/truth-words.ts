import type { LinkedWord } from '../../navigation/linked-word.ts';
import { exact, plural, short } from '../../words/numbers.ts';
import { relativeTime } from '../../words/time.ts';

/** The fields of `/stats` used here; older services do not send the last three. */
export type Truth = {
  readonly totalThreats: number;
  readonly indicators?: number;
  readonly sourceCount?: number;
  readonly newestDataAt?: string | null;
};

/**
 * "1.9M listed indicators, newest 4 min ago, 41 sources." Fields that the service did not send are left out; each count
 * leads to the page that shows what is in it.
 */
export function truthWords(
  { totalThreats, indicators, sourceCount, newestDataAt }: Truth,
  nowMs: number,
): readonly LinkedWord[] {
  const count = indicators ?? totalThreats;
  const noun = indicators === undefined ? 'threat' : 'indicator';
  const newestMs = Date.parse(newestDataAt ?? '');
  if (count === 0)
    return [{ text: 'Nothing is listed here yet: every answer would be unknown. Load sources first.' }];
  return [
    { text: `${short(count)} listed ${noun}${count === 1 ? '' : 's'}`, to: '/overview', title: exact(count) },
    ...(Number.isNaN(newestMs) ? [] : [{ text: `, newest ${relativeTime(newestMs, nowMs)}` }]),
    ...(sourceCount === undefined
      ? []
      : [{ text: ', ' }, { text: plural(sourceCount, 'source'), to: '/status/data' }]),
    { text: '.' },
  ];
}
