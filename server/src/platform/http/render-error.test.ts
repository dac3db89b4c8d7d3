import { expect, test } from 'vitest';
import { badRequest, forbidden } from '#platform/errors.ts';
import { errorBody } from './render-error.ts';

const detailsOf = (error: Parameters<typeof errorBody>[0]) => errorBody(error, 'req_1').details;

test('every 400 has details: of the field that its sentence begins with, else of the request', () => {
  expect(detailsOf(badRequest('emlBase64: this is not base64.'))).toEqual([
    { path: 'emlBase64', message: 'This is not base64.' },
  ]);
  expect(detailsOf(badRequest('match[version]: send a time.'))).toMatchObject([{ path: 'match[version]' }]);
  expect(detailsOf(badRequest('Send exactly one of emlBase64, eml and message.'))).toEqual([
    { path: 'request', message: 'Send exactly one of emlBase64, eml and message.' },
  ]);
  const given = [{ path: 'asOf', message: 'It is too early.' }];
  expect(detailsOf(badRequest('asOf is too early.', given))).toBe(given);
});

test('other errors have none', () => {
  expect(detailsOf(forbidden('role: no.'))).toBeUndefined();
});
