import { expect, test } from 'vitest';
import { invitationBudget, isEstablished } from './invitation-budget.ts';

const DAY_MS = 86_400_000;
const NOW = 100 * DAY_MS;
const organization = (
  plan: 'FREE' | 'BASIC',
  days: number,
  status: 'active' | 'trialing' | 'suspended' = 'active',
) => ({
  plan,
  status,
  createdAtMs: NOW - days * DAY_MS,
});

test('10 invitations a day without payment, 50 in the first month, 500 after it', () => {
  const perDay = (...of: Parameters<typeof organization>) =>
    invitationBudget(organization(...of), NOW, 1_001).ofPerson;
  expect([perDay('FREE', 0), perDay('FREE', 99), perDay('BASIC', 29), perDay('BASIC', 30)]).toEqual([
    10, 10, 50, 500,
  ]);
  expect([perDay('BASIC', 99, 'trialing'), perDay('BASIC', 99, 'suspended')]).toEqual([10, 10]);
});

test('unpaid organizations leave half of the budget of the service to the others', () => {
  expect(invitationBudget(organization('FREE', 99), NOW, 1_001).ofService).toBe(501);
  expect(invitationBudget(organization('BASIC', 1), NOW, 1_001).ofService).toBe(1_001);
});

test('a subject names an organization that is paid and 30 days old', () => {
  expect(isEstablished(organization('BASIC', 30), NOW)).toBe(true);
  expect(isEstablished(organization('BASIC', 29), NOW)).toBe(false);
  expect(isEstablished(organization('FREE', 99), NOW)).toBe(false);
});
