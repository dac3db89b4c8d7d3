import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeRoutes } from '#app/build-app.ts';
import type { Route } from '#platform/http/route.ts';

const routes = describeRoutes();

/** What says how a value is judged. */
const VERDICT_FIELDS = ['score', 'level', 'word', 'riskScore', 'malicious', 'blocklistHits'];

/**
 * Routes that give a verdict and cost no check. None of them judges a value that the caller chooses and has not paid for
 * (O62, O82). A new line is argued for in review.
 */
const UNPAID: Readonly<Record<string, string>> = {
  'GET /analytics': 'Public counts by level; it names no value.',
  'GET /monitoring':
    'Values that the account watches: each cost a check when it was added, and their number is that of the plan.',
  'GET /monitoring/metrics': 'Counts of the same values.',
  'GET /ransomware/sector-risk': 'The score of a sector of the economy, and of no value.',
  'GET /ransomware/sector-risk/history': 'The same.',
  'GET /reports': 'What the account itself saved.',
  'GET /reports/:id': 'The same.',
  'GET /risk-brief/latest': 'A summary of what the account itself watches.',
  'GET /stream': 'Values that changed for everybody; the caller chooses none of them.',
  'POST /gate/scan': 'Costs a scan.',
  'POST /mail/scan': 'Costs a scan.',
  'POST /monitoring/toggle-notify': 'A value that the account watches.',
  'POST /reports': 'The answer is what was sent.',
  'POST /reports/save': 'The same.',
};

function hasVerdict(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { properties } = schema as { readonly properties?: object };
  if (properties !== undefined && VERDICT_FIELDS.some((field) => field in properties)) return true;
  return Object.values(schema).some(hasVerdict);
}

const replyOf = ({ reply }: Route): unknown =>
  z.toJSONSchema(reply, { io: 'output', unrepresentable: 'any', reused: 'inline', cycles: 'ref' });
const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

test('a verdict on a value of the caller’s choice costs a check on every route', () => {
  const given = routes.filter((route) => hasVerdict(replyOf(route)));
  expect(given.length).toBeGreaterThan(10);
  const unpaid = given.filter(({ policy }) => policy.meter !== 'checks').map(nameOf);
  expect([...new Set(unpaid)].toSorted()).toEqual(Object.keys(UNPAID).toSorted());
});

test('what a check pays for is named wherever an answer costs less than one', () => {
  for (const { method, path, policy } of routes)
    if (policy.receipts !== undefined) expect(policy.meter, `${method} ${path}`).toBe('checks');
});

/** Writes with an Idempotency-Key that keep nothing new of what the caller sends, beyond a few bounded fields. */
const STORE_NOTHING: Readonly<Record<string, string>> = {
  'DELETE /cve-watch/perimeters/:id': 'Deletes.',
  'DELETE /cve-watch/perimeters/:id/components/:cid': 'Deletes.',
  'DELETE /user/webhooks/:id': 'Deletes.',
  'PATCH /alerts/:id': 'A status of an alert that the service made.',
  'PATCH /cases/:id': 'A case can always be closed; its texts are bounded, and cases are counted.',
  'PATCH /cve-watch/findings/:id': 'A status of a finding that the service made.',
  'PATCH /cve-watch/perimeters/:id': 'A name.',
  'PATCH /user/webhooks/:id': 'Fields of a fixed size.',
  'POST /cve-watch/perimeters/:id/scan': 'Starts a job.',
  'POST /monitoring/toggle-notify': 'A switch.',
  'POST /monitoring/unwatch': 'Deletes.',
  'POST /user/keys': 'At most 100 keys.',
  'POST /user/keys/:id/rotate': 'Replaces a secret.',
  'POST /user/webhooks/:id/deliveries/:dlv/redeliver': 'Sends what is there.',
  'POST /user/webhooks/:id/replay': 'Sends what is there.',
  'POST /user/webhooks/:id/rotate-secret': 'Replaces a secret.',
  'POST /user/webhooks/:id/test': 'Sends one event.',
  'POST /user/webhooks/:id/verify': 'A time.',
};

test('a route that takes an Idempotency-Key needs room for what it stores, or stands in the list of those that store nothing', () => {
  const free = routes
    .filter(({ policy }) => policy.idempotent === true && policy.stores !== true)
    .map(nameOf);
  expect(free.toSorted()).toEqual(Object.keys(STORE_NOTHING).toSorted());
});

test('only a route that takes an Idempotency-Key gives a reply again', () => {
  for (const { method, path, again, policy } of routes)
    if (again !== undefined) expect(policy.idempotent, `${method} ${path}`).toBe(true);
});
