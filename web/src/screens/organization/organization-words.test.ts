import { expect, test } from 'vitest';
import {
  aboutWords,
  actionWords,
  actorWords,
  isLastOwner,
  mayChange,
  mayConnectProvider,
  rolesGivenBy,
} from './organization-words.ts';

const PEOPLE = [{ userId: 'usr_1', email: 'a@example.com' }];

test('an administrator touches no owner and makes none; no one removes themselves', () => {
  expect(rolesGivenBy('ADMIN')).not.toContain('OWNER');
  expect(rolesGivenBy('OWNER')).toContain('OWNER');
  expect(mayChange('ADMIN', { role: 'OWNER', isYou: false })).toBe(false);
  expect(mayChange('ADMIN', { role: 'MEMBER', isYou: false })).toBe(true);
  expect(mayChange('OWNER', { role: 'OWNER', isYou: false })).toBe(true);
  expect(mayChange('OWNER', { role: 'OWNER', isYou: true })).toBe(false);
  expect(mayChange('MEMBER', { role: 'VIEWER', isYou: false })).toBe(false);
});

test('managers of an ENTERPRISE organization find the settings of single sign-on, and no one else', () => {
  expect(
    ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER', null].filter((role) => mayConnectProvider(role, 'ENTERPRISE')),
  ).toEqual(['OWNER', 'ADMIN']);
  expect(mayConnectProvider('OWNER', 'PRO')).toBe(false);
});

test('the last owner is told so before leaving', () => {
  const you = { role: 'OWNER', isYou: true } as const;
  expect(isLastOwner([you, { role: 'ADMIN', isYou: false }])).toBe(true);
  expect(isLastOwner([you, { role: 'OWNER', isYou: false }])).toBe(false);
  expect(
    isLastOwner([
      { ...you, role: 'ADMIN' },
      { role: 'OWNER', isYou: false },
    ]),
  ).toBe(false);
});

test('a line of the audit trail names members by address and what it does not know as it is', () => {
  const line = {
    actor: { kind: 'session' as const, id: 'ses_1' },
    target: 'usr_2',
    detail: { by: 'usr_1', role: 'ADMIN' },
  };
  expect(actorWords(line, PEOPLE)).toBe('a@example.com');
  expect(aboutWords(line, PEOPLE)).toBe('usr_2, role: ADMIN');
  expect(actorWords({ ...line, detail: {} }, PEOPLE)).toBe('Session ses_1');
  expect(actorWords({ actor: { kind: 'operator', id: 'cli' }, detail: {} }, PEOPLE)).toBe('The operator');
  expect(actionWords('membership.remove')).toBe('A member left or was removed');
  expect(actionWords('something.new')).toBe('something.new');
});
