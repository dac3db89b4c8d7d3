import { describe, expect, test } from 'vitest';
import { isLastOwner, MEMBER_ROLES, type MemberRole, refusalOf } from './roles.ts';

const TARGETS: readonly (MemberRole | null)[] = [...MEMBER_ROLES, null];
const each = (by: MemberRole) =>
  MEMBER_ROLES.flatMap((from) => TARGETS.map((to) => ({ by, from, to, owners: 2 })));

describe('who may change a member', () => {
  test('an owner may change everybody, as long as an owner stays', () => {
    for (const change of each('OWNER')) expect(refusalOf(change), JSON.stringify(change)).toBeNull();
    for (const to of TARGETS.filter((role) => role !== 'OWNER'))
      expect(refusalOf({ by: 'OWNER', from: 'OWNER', to, owners: 1 })).toBe('last-owner');
    expect(refusalOf({ by: 'OWNER', from: 'OWNER', to: 'OWNER', owners: 1 })).toBeNull();
  });

  test('an administrator touches no owner and makes none', () => {
    for (const change of each('ADMIN'))
      expect(refusalOf(change), JSON.stringify(change)).toBe(
        change.from === 'OWNER' || change.to === 'OWNER' ? 'owner' : null,
      );
  });

  test.each(['MEMBER', 'VIEWER'] as const)('a %s changes nobody', (by) => {
    for (const change of each(by)) expect(refusalOf(change)).toBe('no-manager');
  });
});

test('the last owner is the only one who cannot go', () => {
  expect(isLastOwner('OWNER', null, 1)).toBe(true);
  expect(isLastOwner('OWNER', null, 2)).toBe(false);
  expect(isLastOwner('ADMIN', null, 1)).toBe(false);
});
