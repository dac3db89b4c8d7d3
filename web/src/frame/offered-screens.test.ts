import { expect, test } from 'vitest';
import { SCREENS, type Screen } from '../screens.ts';
import type { Session } from '../service/session.ts';
import { offeredScreens } from './offered-screens.ts';

const load = (): never => {
  throw new Error('not opened');
};
const screens: readonly Screen[] = [
  { path: '/a', title: 'For everybody', load },
  { path: '/b', title: 'For sessions', needs: {}, load },
  { path: '/c', title: 'For a plan', needs: { plans: ['PRO'] }, load },
  { path: '/d', title: 'For owners', needs: { roles: ['owner'] }, load },
  { path: '/e/:value', load },
];
const session = (plan: string, role: string | null) =>
  ({ state: 'signed-in', plan, role }) as unknown as Session;

test.each([
  ['nobody', { state: 'signed-out' } as const, ['/a']],
  ['a session that is still asked for', { state: 'loading' } as const, ['/a']],
  ['a free account', session('FREE', null), ['/a', '/b']],
  ['a member of a PRO organization', session('PRO', 'member'), ['/a', '/b', '/c']],
  ['its owner', session('PRO', 'owner'), ['/a', '/b', '/c', '/d']],
])('%s is offered the screens that open', (_, who, paths) => {
  expect(offeredScreens(who, screens).map(({ path }) => path)).toEqual(paths);
});

test('no two screens share an address or a key', () => {
  const paths = SCREENS.map(({ path }) => path);
  const keys = SCREENS.flatMap(({ key }) => key ?? []);
  expect(new Set(paths).size).toBe(paths.length);
  expect(new Set(keys).size).toBe(keys.length);
});
