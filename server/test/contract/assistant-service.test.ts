import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { IS_FULL_SIZE } from '#test/lane.ts';
import { type ModelPeer, startModelPeer } from '#test/peers/model-peer.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccount, type ServiceAccounts } from '#test/service-accounts.ts';

const KEY = 'model-key-4411';
const UNSEEN = 'never-seen-anywhere.example.org';

let database: TestDatabase;
let model: ModelPeer;
let service: Service;
let accounts: ServiceAccounts;
let account: ServiceAccount;

beforeAll(async () => {
  database = await createTestDatabase();
  model = await startModelPeer('No list names this domain, and nobody vouches for it.');
  service = await startService({
    databaseUrl: database.url,
    env: {
      AI_URL: `${model.url}/v1`,
      AI_KEY: KEY,
      OUTBOUND_ALLOW: `127.0.0.1/32:${model.port}`,
      // The tests compare exact usage; a busy machine must not make the service count without Redis.
      REDIS_TIMEOUT_MS: '5000',
    },
  });
  accounts = openAccounts(service);
  account = await accounts.newAccount('assistant@example.com', { plan: 'ENTERPRISE' });
}, 600_000);
afterAll(async () => {
  await accounts?.close();
  await service?.stop();
  await model?.close();
  await database?.drop();
});

const call = async (path: string, body?: unknown) => {
  const response = await fetch(`${service.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-API-KEY': account.credential, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    usage: Number(response.headers.get('x-monthly-usage')),
    body: (await response.json()) as Record<string, unknown>,
  };
};

test('an unlisted indicator of any type is unknown, never clean, and costs one check', async () => {
  const { usage: start } = await call('/check');
  const check = await call(`/gpt/check?query=${UNSEEN}`);
  expect(check).toMatchObject({ status: 200, usage: start + 1 });
  expect(check.body).toMatchObject({ type: 'domain', verdict: 'unknown', riskScore: null });
  expect(check.body.summary).toContain('Unknown is not clean.');
  const email = await call(`/gpt/email?email=somebody@${UNSEEN}`);
  expect(email).toMatchObject({ status: 200, usage: start + 2, body: { type: 'email' } });
  expect(email.body.verdict).not.toBe('safe');
});

test('an address has the verdict and the action of its report on the web host, whether its plus sign is encoded or not', async () => {
  for (const address of [`news%2Ba@${UNSEEN}`, `news+a@${UNSEEN}`]) {
    const brief = await call(`/gpt/email?email=${address}`);
    const { body } = await call(`/api/check/email?email=${address}`);
    const { verdict, recommendedAction } = body.evidence as Record<string, string>;
    expect(brief).toMatchObject({ status: 200, body: { verdict, recommendedAction } });
  }
});

test.each([
  ['/gpt/check', 'query'],
  ['/gpt/search', 'keywords'],
  ['/gpt/email', 'email'],
  ['/gpt/check?query=not%20an%20indicator', 'query'],
  ['/gpt/check?query=10.0.0.0/8', 'query'],
  ['/gpt/email?email=example.org', 'email'],
  ['/gpt/search?keywords=x', 'keywords'],
])('%s is refused with a message and costs no check', async (path, field) => {
  const { usage: start } = await call('/check');
  const answer = await call(path);
  expect(answer.status).toBe(400);
  expect(answer.body.details).toMatchObject([{ path: field }]);
  await eventually('nothing is charged', 5_000, async () => (await call('/check')).usage === start);
});

test('the model writes the analysis, and its prompt does not identify the caller', async () => {
  const answer = await call('/ai-analysis', { query: UNSEEN });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    summary: 'No list names this domain, and nobody vouches for it.',
    writtenBy: 'model',
  });
  expect(answer.body.recommendedAction).not.toBe('allow');
  expect(JSON.stringify(model.asked)).not.toMatch(/assistant@example\.com|ak_/);
});

test('with a model that hangs the answer lacks only the written analysis', async () => {
  model.mode = 'hang';
  const started = performance.now();
  const answer = await call('/ai-analysis', { query: UNSEEN });
  model.mode = 'answer';
  expect(answer).toMatchObject({ status: 200, body: { writtenBy: 'rules' } });
  if (IS_FULL_SIZE) expect(performance.now() - started).toBeLessThan(13_000);
});

test('a check can be stored as a report, read again and exported', async () => {
  const { body: result } = await call(`/check?query=${UNSEEN}`);
  const saved = await call('/reports/save', { result, note: 'as asked', tags: ['triage'] });
  expect(saved.status).toBe(201);
  const { report } = saved.body as { report: { id: string; verdict: string } };
  expect(report.verdict).not.toBe('safe');
  const again = await call(`/api/reports/${report.id}`);
  expect(again.body.result).toEqual(result);
  const exported = await call('/reports/export?format=json');
  expect(exported.body.reports).toHaveLength(1);
});

test('neither the key of the model nor an e-mail address is in the log', async () => {
  const read = () => readFileSync(service.logFile, 'utf8');
  // The log is written in batches, in order, so the last line shows that all are written.
  await eventually('the log is written', 60_000, () => read().includes('/reports/export'));
  const log = read();
  expect(log).toContain('/gpt/email');
  expect(log).not.toContain(KEY);
  expect(log).not.toContain('somebody@');
  expect(log).not.toContain('somebody%40');
});
