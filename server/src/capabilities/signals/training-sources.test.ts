import { expect, test } from 'vitest';
import type { Source } from '#capabilities/corpus/index.ts';
import { trainingSources } from './training-sources.ts';

const ACCUSING = { threatClass: 'threat', adOnly: false, fpRisk: 'medium', aggregate: false, guard: null };
const sourceOf = (number: number, settings: Partial<Source>): Source =>
  ({
    ...ACCUSING,
    number,
    category: 'phishing',
    enabled: true,
    entries: 10,
    licence: 'CC0-1.0',
    rankMax: null,
    letter: 'B',
    ...settings,
  }) as Source;
const taught = (settings: Partial<Source>) =>
  Object.entries(trainingSources([sourceOf(7, settings)]))
    .filter(([, numbers]) => numbers.length > 0)
    .map(([what]) => what);

const POPULAR = { threatClass: 'allowlist', guard: 'popularity', category: 'top-sites' } as const;

test.each([
  ['phishing', {}, ['addresses', 'bad', 'accusing', 'heating']],
  ['phishing of grade C', { letter: 'C' }, ['addresses', 'bad', 'accusing']],
  ['malware', { category: 'malware' }, ['addresses', 'accusing']],
  ['ransomware', { category: 'ransomware' }, ['addresses', 'accusing']],
  ['command servers', { category: 'c2' }, ['addresses', 'commandServers', 'accusing']],
  ['attacks', { category: 'brute-force' }, ['addresses']],
  ['a list with many false alarms', { fpRisk: 'high' }, ['addresses', 'heating']],
  ['an archive', { semantics: 'archive' }, ['addresses', 'heating']],
  ['a list of lists', { aggregate: true }, ['bad', 'accusing']],
  ['a list that a stranger proposed', { letter: 'F' }, []],
  ['advertising', { adOnly: true }, []],
  ['a list that is switched off', { enabled: false }, []],
  ['non-commercial terms', { licence: 'CC BY-NC-SA 4.0' }, ['addresses', 'heating']],
  ['visited hosts', { ...POPULAR, licence: 'CC BY-SA 4.0 (Chrome UX Report)' }, []],
  ['ranked names', POPULAR, ['good', 'ranked']],
  ['the first 10,000 without ranks', { ...POPULAR, rankMax: 10_000 }, ['good', 'whole']],
  ['the first 100,000 without ranks', { ...POPULAR, rankMax: 100_000 }, ['good', 'ranked']],
  ['infrastructure', { threatClass: 'infrastructure' }, ['good']],
  ['policy', { threatClass: 'policy' }, []],
] as const)('%s teaches what its class and licence allow', (_what, settings, teaches) => {
  expect(taught(settings as Partial<Source>)).toEqual(teaches);
});
