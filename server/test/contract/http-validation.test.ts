import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SharedService, sharedService } from '#test/shared-service.ts';

/** Words of Zod's own messages; none of them may reach a caller. */
const ZOD_WORDS =
  /invalid (?:input|option|string|iso)|expected|received|too (?:big|small)|unrecognized|>=|<=/i;

let shared: SharedService;
beforeAll(async () => {
  shared = await sharedService('http-validation');
});
afterAll(() => shared?.stop());

type Refusal = {
  error: string;
  message: string;
  requestId: string;
  details: { path: string; message: string }[];
};
type Sent = readonly [method: 'GET' | 'POST', path: string, body?: unknown];

async function refusalOf([method, path, body]: Sent): Promise<{ status: number; refusal: Refusal }> {
  const answer = await fetch(`${shared.service.url}${path}`, {
    method,
    headers: { 'X-API-KEY': shared.account.credential, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, refusal: (await answer.json()) as Refusal };
}

const long = 'x'.repeat(3_000);

test.each<readonly [string, Sent, string, string]>([
  ['a repeated parameter', ['GET', '/check?query=a.com&query=b.com'], 'query', 'Send it once, not 2 times.'],
  [
    'a repeated option',
    ['GET', '/check?query=a.com&enrichment=full&enrichment=fast'],
    'enrichment',
    'Send it once, not 2 times.',
  ],
  [
    'a wrong option',
    ['GET', '/check?query=a.com&enrichment=deep'],
    'enrichment',
    'Send one of fast, basic, standard, full, not "deep".',
  ],
  [
    'too long a parameter',
    ['GET', `/check?query=${long}`],
    'query',
    'Send at most 2048 characters, not 3000.',
  ],
  ['no time', ['GET', '/check?query=a.com&asOf=yesterday'], 'asOf', 'Send a time with its zone'],
  ['a missing parameter', ['GET', '/threat-intel/history'], 'entity', 'This is missing. Send text.'],
  ['no title', ['POST', '/cases', {}], 'title', 'Send a title.'],
  [
    'an unknown format',
    ['GET', '/blocklist/download/blocklist-ips-all.txt?format=zzz'],
    'format',
    'suricata',
  ],
  [
    'no number',
    ['GET', '/threat-intel/history?entity=1.2.3.4&days=many'],
    'days',
    'Send a number, not "many".',
  ],
  [
    'half a number',
    ['GET', '/threat-intel/history?entity=1.2.3.4&days=1.5'],
    'days',
    'Send a whole number, not "1.5".',
  ],
  [
    'too small a number',
    ['GET', '/threat-intel/history?entity=1.2.3.4&days=0'],
    'days',
    'Send at least 1, not "0".',
  ],
  ['a missing field', ['POST', '/bulk/check', {}], 'entities', 'This is missing. Send a list.'],
  [
    'text for a list',
    ['POST', '/bulk/check', { entities: 'a.com' }],
    'entities',
    'Send a list, not "a.com".',
  ],
  ['a list as the body', ['POST', '/bulk/check', ['a.com']], 'body', 'Send an object, not a list of 1.'],
  [
    'null for text',
    ['POST', '/bulk/check', { entities: ['a.com', null] }],
    'entities.1',
    'Send text, not null.',
  ],
  [
    'a wrong option in a body',
    ['POST', '/bulk/check', { entities: ['a.com'], format: 'xml' }],
    'format',
    'Send one of json, csv, not "xml".',
  ],
  [
    'an object for an option',
    ['POST', '/bulk/check', { entities: ['a.com'], format: {} }],
    'format',
    'Send one of json, csv, not an object.',
  ],
  ['no list of sources', ['POST', '/submit', { sources: [] }], 'sources', 'Send at least one source.'],
])('400 for %s names the field, what came and what is wanted', async (_name, sent, path, sentence) => {
  const { status, refusal } = await refusalOf(sent);
  expect(status).toBe(400);
  expect(Object.keys(refusal)).toEqual(['error', 'message', 'requestId', 'details']);
  expect(refusal.error).toBe('Bad Request');
  const detail = refusal.details.find((each) => each.path === path);
  expect(detail?.message, JSON.stringify(refusal)).toContain(sentence);
  expect(refusal.message).toContain(`${refusal.details[0]?.path}: ${refusal.details[0]?.message}`);
  expect(JSON.stringify(refusal)).not.toMatch(ZOD_WORDS);
});
