import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GOLDEN } from '../golden/golden-corpus.ts';
import { type GoldenService, startGolden } from '../golden/golden-service.ts';
import { pathsIn } from '../golden/paths-in.ts';

const FILE = join(import.meta.dirname, '../golden/bulk.json');
const MUST_WRITE = process.env.UPDATE_GOLDEN === '1';

const ENTITIES = [
  GOLDEN.ip,
  GOLDEN.ipv6,
  GOLDEN.privateIp,
  GOLDEN.domain,
  GOLDEN.idnDomain,
  GOLDEN.neverSeenDomain,
  GOLDEN.knownGoodDomain,
  GOLDEN.url,
  GOLDEN.knownHash,
  GOLDEN.unknownHash,
  GOLDEN.torExit,
  ` ${GOLDEN.domain.toUpperCase()} `,
  'not an indicator',
];

/** Fields of a batch (contract 2.7), with `isMalicious` by G17 and `infrastructure` by G18. */
const FIELDS = `success total processed results errors processingTimeMs results.entity results.type
results.isMalicious results.confidence results.sources results.categories results.riskScore results.riskLevel
results.recommendedAction results.analystStatus results.observedAt results.evidence results.evidence.verdict
results.evidence.reasons results.lookupStatus results.error results.infrastructure.attributes`.split(/\s+/);

let golden: GoldenService;
beforeAll(async () => {
  golden = await startGolden();
});
afterAll(async () => {
  await golden?.close();
});

test('a batch of every kind equals its golden answer in full; UPDATE_GOLDEN=1 rewrites it', async () => {
  const { statusCode, body } = await golden.app.inject({
    method: 'POST',
    url: '/bulk/check',
    payload: { entities: ENTITIES },
  });
  expect(statusCode, body).toBe(200);
  const answer: unknown = JSON.parse(body);
  if (MUST_WRITE) writeFileSync(FILE, `${JSON.stringify(answer, null, 2)}\n`);
  const kept: unknown = JSON.parse(readFileSync(FILE, 'utf8'));
  expect(JSON.stringify(answer)).toBe(JSON.stringify(kept));
});

test('every field of contract 2.7 occurs in the golden batch', () => {
  const seen = new Set(pathsIn(JSON.parse(readFileSync(FILE, 'utf8'))));
  expect(FIELDS.filter((field) => !seen.has(field))).toEqual([]);
});
