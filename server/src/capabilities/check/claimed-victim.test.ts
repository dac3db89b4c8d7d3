import { expect, test } from 'vitest';
import { checkDeps, indicatorOf } from '#test/check-deps.ts';
import { createCheck } from './check-indicator.ts';
import { CheckResult } from './contract.ts';
import { CheckEvent } from './contract-stream.ts';

const CLAIMS = {
  domain: 'goodsamcobb.org',
  total: 1,
  claims: [
    {
      group: 'lockbit3',
      family: 'lockbit',
      victim: 'The Good Samaritan Health Center of Cobb',
      discoveredAt: '2024-12-17T00:00:00.000Z',
    },
  ],
  note: 'A claim does not show that an attack took place, and it adds no points to the score.',
};
const claimsOn = (host: string) => (host.endsWith('goodsamcobb.org') ? CLAIMS : null);
const withClaims = createCheck({ ...checkDeps({}), claimsOn });
const without = createCheck(checkDeps({}));

const answered = async ({ check }: typeof without, text: string) =>
  CheckResult.parse(
    JSON.parse(
      JSON.stringify(await check({ indicator: indicatorOf(text), enrichment: 'standard', asOfMs: null })),
    ),
  );

test.each(['goodsamcobb.org', 'mail.goodsamcobb.org', 'https://www.goodsamcobb.org/x'])(
  'the check of %s shows the claim on its organization as context, and has the verdict of one without',
  async (text) => {
    const { ransomwareClaims, ...rest } = await answered(withClaims, text);
    expect(ransomwareClaims).toEqual(CLAIMS);
    const { dataTrust: _, evidence: __, ...plain } = await answered(without, text);
    expect(rest).toMatchObject(plain);
    expect(rest.malicious).toBe(false);
  },
);

test('a name or an address without claims has no such field', async () => {
  for (const text of ['example.org', '192.0.2.7'])
    expect('ransomwareClaims' in (await answered(withClaims, text)), text).toBe(false);
});

test('the stream has it in its first phase', async () => {
  const events: CheckEvent[] = [];
  const emit = (event: CheckEvent) => {
    events.push(CheckEvent.parse(JSON.parse(JSON.stringify(event))));
    return true;
  };
  await withClaims.stream(indicatorOf('goodsamcobb.org'))({ signal: new AbortController().signal, emit });
  expect(events[0]?.data).toMatchObject({ ransomwareClaims: CLAIMS });
});
