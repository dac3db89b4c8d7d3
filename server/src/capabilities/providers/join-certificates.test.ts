import { expect, test } from 'vitest';
import type { Certificate, CtHistory, TlsFacts } from './contract-hosts.ts';
import { joinCertificates } from './join-certificates.ts';
import { missing, type Outcome } from './outcome.ts';

const NOW_MS = Date.parse('2026-06-15T00:00:00Z');

const leaf = (serialNumber: string, from: string, to: string): Certificate => ({
  issuer: 'CN=Issuer',
  subject: 'CN=example.com',
  validFrom: `${from}T00:00:00.000Z`,
  validTo: `${to}T00:00:00.000Z`,
  serialNumber,
  fingerprint: `AA:${serialNumber}`,
});
const current = leaf('0A', '2026-05-01', '2026-08-01');
const newer = leaf('0B', '2026-06-01', '2026-09-01');
const expired = leaf('0C', '2025-01-01', '2025-04-01');
const future = leaf('0D', '2026-07-01', '2026-10-01');

const shown = (certificate: Certificate, problem: string | null = null): Outcome<TlsFacts> => ({
  state: 'found',
  value: { certificate, names: ['example.com'], isTrusted: problem === null, problem, protocol: 'TLSv1.3' },
  fetchedAtMs: 200,
  isStale: false,
});
const logged = (leaves: readonly Certificate[], isStale = false): Outcome<CtHistory> => ({
  state: 'found',
  value: {
    history: leaves.map((each) => ({ ...each, fingerprint: null })),
    total: leaves.length + 70,
    names: ['example.com', 'www.example.com'],
  },
  fetchedAtMs: 100,
  isStale,
});
const absent = (fetchedAtMs: number): Outcome<never> => ({ state: 'absent', fetchedAtMs });
const join = (tls: Outcome<TlsFacts>, ct: Outcome<CtHistory>) => joinCertificates(tls, ct, NOW_MS);

test('from logs alone the newest valid certificate is returned, not marked as seen on the host', () => {
  expect(join(missing('off'), logged([future, expired, newer, current]))).toMatchObject({
    state: 'found',
    value: { serialNumber: '0B', fingerprint: null, isTrusted: null, problem: null, total: 74 },
  });
});

test('logs with only expired certificates give the newest of them', () => {
  const joined = join(missing('off'), logged([leaf('1', '2020-01-01', '2020-04-01'), expired]));
  expect(joined).toMatchObject({ value: { serialNumber: '0C' } });
});

test('the certificate of the host comes before a newer one that only a log has, with the history', () => {
  const joined = join(shown(current), logged([newer, current]));
  expect(joined).toMatchObject({
    state: 'found',
    fetchedAtMs: 100,
    isStale: false,
    value: { serialNumber: '0A', fingerprint: 'AA:0A', isTrusted: true, problem: null, total: 72 },
  });
  expect(joined.state === 'found' && joined.value.history).toHaveLength(2);
});

test('an expired certificate is returned and marked as expired', () => {
  for (const ct of [missing('off'), missing('deadline'), absent(1), logged([expired])])
    expect(join(shown(expired, 'expired'), ct)).toMatchObject({
      state: 'found',
      value: { serialNumber: '0C', isTrusted: false, problem: 'expired' },
    });
});

test('a valid certificate of the logs comes before an invalid one of the host, which `problem` names', () => {
  expect(join(shown(expired, 'expired'), logged([current, expired]))).toMatchObject({
    value: {
      serialNumber: '0A',
      isTrusted: null,
      problem: 'The host itself shows another certificate: expired',
    },
  });
});

test('the same certificate in both is that of the host, in any spelling of the serial', () => {
  const plain = { ...current, serialNumber: '00:a' };
  expect(join(shown(current, 'another name'), logged([plain]))).toMatchObject({
    value: { serialNumber: '0A', fingerprint: 'AA:0A', isTrusted: false, problem: 'another name' },
  });
});

test('the result is stale when a part is', () => {
  expect(join(shown(current), logged([newer], true))).toMatchObject({ isStale: true });
});

test.each([
  [absent(1), absent(2), { state: 'absent', fetchedAtMs: 1 }],
  [missing('off'), absent(2), { state: 'absent', fetchedAtMs: 2 }],
  [absent(1), missing('inapplicable'), { state: 'absent', fetchedAtMs: 1 }],
  [missing('deadline'), absent(2), missing('deadline')],
  [absent(1), missing('breaker'), missing('breaker')],
  [missing('off'), missing('failed'), missing('failed')],
  [missing('off'), missing('inapplicable'), missing('off')],
  [missing('off'), missing('unconfigured'), missing('off')],
  [missing('inapplicable'), missing('inapplicable'), missing('inapplicable')],
  [missing('off'), logged([]), { state: 'absent', fetchedAtMs: 100 }],
] as const)('it is absent only when every queried source says so (%#)', (tls, ct, expected) => {
  expect(join(tls, ct as Outcome<CtHistory>)).toEqual(expected);
});
