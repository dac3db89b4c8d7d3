import { exact, plural, short } from '../../words/numbers.ts';
import { relativeTime } from '../../words/time.ts';

/** The fields of `/stats` used here; older services do not send the last three. */
export type Truth = {
  readonly totalThreats: number;
  readonly indicators?: number;
  readonly sourceCount?: number;
  readonly newestDataAt?: string | null;
};

/** "1.9M listed indicators, newest 4 min ago, 41 sources." Fields that the service did not send are left out. */
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
