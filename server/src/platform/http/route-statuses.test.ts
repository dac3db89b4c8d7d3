import { expect, test } from 'vitest';
import { PUBLIC, plainRoute } from '#test/http-app.ts';
import { failureStatusesOf, namesStatus, successStatusesOf } from './route-statuses.ts';

test('a public route without input can fail only as every route can', () => {
  expect(failureStatusesOf(plainRoute({ path: '/a', policy: PUBLIC }))).toEqual([408, 431, 500, 503]);
});

test('a route that reads a credential can answer 401, 403 and, after too many wrong ones, 429', () => {
  const guarded = plainRoute({ path: '/a', policy: { ...PUBLIC, auth: 'session' } });
  expect(failureStatusesOf(guarded)).toEqual([401, 403, 408, 429, 431, 500, 503]);
});

test('a route that reads a body bounds it, also without a schema for it', () => {
  const posted = plainRoute({ method: 'POST', path: '/a', policy: PUBLIC });
  expect(failureStatusesOf(posted)).toEqual([400, 408, 413, 415, 431, 500, 503]);
});

test('a route of operators answers a stranger as an unknown address', () => {
  const hidden = plainRoute({ path: '/a', policy: { ...PUBLIC, auth: 'operator' } });
  expect(failureStatusesOf(hidden)).toEqual([404, 408, 431, 500, 503]);
});

test('conditions, ranges and what a route names itself are part of its statuses', () => {
  const file = plainRoute({
    path: '/a',
    policy: PUBLIC,
    conditional: true,
    ranges: true,
    otherStatuses: { 204: 'Nothing is left.', 409: 'It is locked.' },
  });
  expect(successStatusesOf(file)).toEqual([200, 204, 206, 304]);
  expect(failureStatusesOf(file)).toEqual([408, 409, 416, 431, 500, 503]);
  expect([200, 206, 409, 418].map((status) => namesStatus(file, status))).toEqual([true, true, true, false]);
});
