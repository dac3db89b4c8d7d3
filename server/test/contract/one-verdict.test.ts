import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LADDER, WORD_EXCEPTIONS } from '#domain/scoring/index.ts';
import { openCheckService, type SharedCheckService } from './check-corpus.ts';
import { SANCTIONED } from './contact-rows.ts';
import { beginWithinOneHour } from './one-hour.ts';
import { BULK, CLOUD_IP, CROWDED_IP, DISPUTED_IP, SAMPLE_MD5, SAMPLE_SHA256 } from './shared-corpus.ts';
import {
  type Caller,
  callerOf,
  type Shown,
  type Surface,
  surfacesOfEmail,
  surfacesOfHost,
  surfacesOfPhone,
  surfacesOfWallet,
} from './surfaces.ts';

type Ask = (caller: Caller, value: string) => Promise<readonly Surface[]>;

/** 37 values of every kind and of every rung that the shared corpus can give. */
const VALUES: readonly (readonly [Ask, readonly string[]])[] = [
  [
    surfacesOfHost,
    [CROWDED_IP, DISPUTED_IP, CLOUD_IP, BULK.ip, '45.155.206.7', '2a02:4780::1', '192.168.1.1', '8.8.8.8'],
  ],
  [
    surfacesOfHost,
    ['evil.com', 'www.evil.com', 'a.sub.evil.com', 'ads.evil.com', 'only-ads.com', 'one-weak-list.com'],
  ],
  [surfacesOfHost, [BULK.domain, 'never-seen.example.org', 'duckdns.org', 'someone.duckdns.org']],
  [
    surfacesOfHost,
    [
      'http://evil.com/payload.exe',
      'http://evil.com/another-page',
      `http://${BULK.domain}/login`,
      `http://${CROWDED_IP}/x`,
      'https://never-seen.example.org/a',
    ],
  ],
  [surfacesOfHost, [SAMPLE_SHA256, SAMPLE_MD5, 'ef'.repeat(32), '12'.repeat(16)]],
  [
    surfacesOfEmail,
    [
      BULK.email,
      `other@${BULK.domain}`,
      'a@evil.com',
      'nobody@example.org',
      'a@mailinator.com',
      'b@gmail.com',
    ],
  ],
  [surfacesOfPhone, ['+18005550199', '+14155552671']],
  [surfacesOfWallet, [SANCTIONED, '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa']],
];

let running: SharedCheckService;
let caller: Caller;

beforeAll(async () => {
  running = await openCheckService('one-verdict');
  const { credential } = await running.accounts.newAccount('desk2@example.com', { plan: 'ENTERPRISE' });
  caller = callerOf(running.service.url, credential);
}, 600_000);
beforeEach(beginWithinOneHour);
afterAll(async () => {
  await running?.stop();
});

const FIELDS = ['level', 'score', 'word', 'action', 'malicious'] as const;

/** The first surface is the value's own route; the others may leave fields out, but must not differ from it. */
function contradictionsIn(value: string, surfaces: readonly Surface[]): readonly string[] {
  const [own, ...others] = surfaces;
  const whole: Shown = Object.assign({}, ...surfaces.map(({ shown }) => defined(shown)).toReversed());
  return [
    ...[own, ...others].flatMap(({ name, shown } = { name: '', shown: {} }) =>
      FIELDS.filter((field) => shown[field] !== undefined && shown[field] !== whole[field]).map(
        (field) => `${value}: ${name} says ${field} ${shown[field]}, ${own?.name} ${whole[field]}`,
      ),
    ),
    ...offTheLadder(value, whole),
  ];
}

const defined = (shown: Shown): Shown =>
  Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));

const ROWS: readonly {
  readonly levels: readonly string[];
  readonly word: string;
  readonly action: string;
}[] = Object.values(LADDER);
const EXCEPTIONS: ReadonlySet<string> = new Set(WORD_EXCEPTIONS.map(({ row }) => row.word));

/**
 * Lists what breaks the ladder: a word of another level, a less careful action (O49), `malicious` below high (O50), and
 * the word Malicious without the field or the field without the word (O59, O75).
 */
function offTheLadder(value: string, { level, word, action, malicious }: Shown): readonly string[] {
  // The word of a named service is followed by its name, as `WORD: NAME`.
  const isWord = (one: { readonly word: string }) => word === one.word || word?.startsWith(`${one.word}: `);
  const rung = ROWS.find((one) => isWord(one) && one.levels.includes(level ?? ''));
  const careful = ['review', 'escalate', 'monitor'];
  const wrong: string[] = [];
  if (rung === undefined) wrong.push(`${value}: ${word} is no word of ${level}`);
  else if (action !== rung.action && !careful.includes(action ?? ''))
    wrong.push(`${value}: ${word} with action ${action}`);
  if (malicious === true && level !== 'high' && level !== 'critical')
    wrong.push(`${value}: malicious at ${level}`);
  if (
    malicious !== undefined &&
    malicious !== (word === LADDER.malicious.word) &&
    !EXCEPTIONS.has(word ?? '')
  )
    wrong.push(`${value}: ${word} with malicious ${malicious}`);
  return wrong;
}

test('0 contradictions between the surfaces: one value has one level, score, word, action and malicious on each', async () => {
  const contradictions: string[] = [];
  const words = new Set<string>();
  let asked = 0;
  for (const [ask, values] of VALUES)
    for (const value of values) {
      const surfaces = await ask(caller, value);
      contradictions.push(...contradictionsIn(value, surfaces));
      for (const { shown } of surfaces) if (shown.word !== undefined) words.add(shown.word);
      asked += 1;
    }
  expect(contradictions).toEqual([]);
  expect(asked).toBeGreaterThanOrEqual(30);
  // The comparison means nothing unless the values stand on many rungs.
  expect(words.size).toBeGreaterThanOrEqual(7);
}, 600_000);

test('a page whose host alone is listed is not said to be listed', async () => {
  const { body } = await running.check('http://evil.com/another-page');
  expect((body.riskScore as unknown as { summary: string }).summary).toMatch(/^Its host is listed by /);
  expect(new Set(body.sources.map(({ matchType }) => matchType))).toEqual(new Set(['parent']));
  const brief = await caller.get('/gpt/check?query=http%3A%2F%2Fevil.com%2Fanother-page');
  expect(brief.summary).toMatch(/name its host/);
});
