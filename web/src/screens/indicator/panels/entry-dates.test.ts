import { expect, test } from 'vitest';
import { entryDates } from './entry-dates.ts';

const [REPORTED, SINCE, SEEN, STILL] = ['2026-05-03', '2026-04-01', '2026-08-12', '2026-08-20'];
const words = (...args: Parameters<typeof entryDates>) =>
  entryDates(...args).map(({ word, at }) => `${word} ${at}`);

test.each([
  [
    'own, sightings dated',
    { dating: 'own', reportedAt: REPORTED },
    { lastSeen: SEEN, stillListedOn: STILL },
    ['reported 2026-05-03', 'last seen 2026-08-12'],
  ],
  [
    'own, sightings not dated',
    { dating: 'own', reportedAt: REPORTED },
    { lastSeen: null, stillListedOn: STILL },
    ['reported 2026-05-03', 'still listed on 2026-08-20'],
  ],
  [
    'sighted',
    { dating: 'sighted', listedSince: SINCE },
    { lastSeen: null, stillListedOn: STILL },
    ['listed since 2026-04-01', 'still listed on 2026-08-20'],
  ],
  [
    'undated',
    { dating: 'undated' },
    { lastSeen: null, stillListedOn: STILL },
    ['still listed on 2026-08-20'],
  ],
  ['an older service', { dating: 'undated' }, { lastSeen: null }, []],
  ['no listing', { dating: 'own', reportedAt: REPORTED }, undefined, ['reported 2026-05-03']],
] as const)('%s', (_what, source, listing, dates) => {
  expect(words(source, listing)).toEqual(dates);
});
