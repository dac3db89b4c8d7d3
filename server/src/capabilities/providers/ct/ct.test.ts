import { afterEach, expect, test } from 'vitest';
import { type Domain, parseIndicator } from '#domain/indicator/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { ctRow, startCtPeer } from '#test/peers/ct-peer.ts';
import type { ModalPeer } from '#test/peers/peer-mode.ts';
import { createCtProvider } from './create-ct-provider.ts';

const log = createLog('silent');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const domain = (text: string): Domain => {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'domain') throw new Error(`${text} is no domain`);
  return parsed.indicator;
};

async function search(rowsOf: (name: string) => readonly unknown[], shape?: (peer: ModalPeer) => void) {
  const peer = await startCtPeer(rowsOf);
  closing.push(peer.close);
  shape?.(peer);
  const allow = [`127.0.0.1/32:${peer.port}`];
  const outbound = createOutbound({ log, clock: systemClock(), allow });
  closing.push(outbound.close);
  const provider = createCtProvider({ outbound, baseUrl: `${peer.url}/` });
  const ask = { signal: new AbortController().signal, deadlineMs: 30_000 };
  return { peer, provider, ask: async () => (await provider.ask(domain('shop.example.com'), ask)).value };
}

test('log entries come newest first, in the form of the contract', async () => {
  const { peer, provider, ask } = await search(() => [
    ctRow({ serial_number: '01', not_before: '2024-01-01T00:00:00', not_after: '2024-04-01T00:00:00' }),
    ctRow({
      serial_number: '00ff02',
      not_before: '2026-01-01T00:00:00',
      name_value: 'Shop.example.com\n*.example.com',
    }),
  ]);
  const value = await ask();
  expect(value).toEqual({
    history: [
      {
        issuer: 'C=US, O=Example Trust, CN=E1',
        subject: 'CN=shop.example.com',
        validFrom: '2026-01-01T00:00:00.000Z',
        validTo: '2026-04-02T02:04:04.000Z',
        serialNumber: 'FF02',
        fingerprint: null,
      },
      expect.objectContaining({ serialNumber: '01', validFrom: '2024-01-01T00:00:00.000Z' }),
    ],
    total: 2,
    names: ['shop.example.com', '*.example.com'],
  });
  expect(provider.schema.parse(value)).toEqual(value);
  expect(peer.requests).toEqual(['GET /?q=shop.example.com&output=json']);
});

test('a precertificate and its leaf are one certificate; the same serial of another issuer is a second one', async () => {
  const { ask } = await search(() => [
    ctRow({ id: 1, serial_number: '0A' }),
    ctRow({ id: 2, serial_number: '000a' }),
    ctRow({ id: 3, serial_number: '0a', issuer_name: 'CN=Another' }),
  ]);
  expect(await ask()).toMatchObject({ total: 2 });
});

test('of many the fifty newest are kept and all are counted', async () => {
  const day = (i: number) => new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 19);
  const { ask } = await search(() =>
    Array.from({ length: 3_000 }, (_, i) =>
      ctRow({ serial_number: (i + 1).toString(16), not_before: day(i), name_value: `n${i}.example.com` }),
    ),
  );
  const value = await ask();
  expect(value?.total).toBe(3_000);
  expect(value?.history).toHaveLength(50);
  expect(value?.history[0]?.validFrom).toBe(`${day(2_999)}.000Z`);
  expect(value?.names).toHaveLength(50);
});

test('an empty answer is absent', async () => {
  const { ask } = await search(() => []);
  expect(await ask()).toBeNull();
});

test('text of a log is made inert and bounded', async () => {
  const { ask } = await search(() => [
    ctRow({
      issuer_name: `CN=\u202e${'x'.repeat(5_000)}`,
      common_name: '<b>\u0007\nhi',
      name_value: 'a\u200b.example.com',
    }),
  ]);
  const value = await ask();
  expect(value?.history[0]?.issuer).toMatch(/^CN=x+$/);
  expect(value?.history[0]?.issuer.length).toBeLessThanOrEqual(512);
  expect(value?.history[0]?.subject).toBe('CN=<b> hi');
  expect(value?.names).toEqual(['a.example.com']);
});

test('an unreadable row is left out; when all are unreadable, the lookup fails', async () => {
  const broken = [null, 7, { ...ctRow(), not_before: 'yesterday' }, { ...ctRow(), serial_number: 12 }];
  const some = await search(() => [...broken, ctRow()]);
  expect(await some.ask()).toMatchObject({ total: 1 });
  const none = await search(() => broken);
  await expect(none.ask()).rejects.toMatchObject({ kind: 'upstream' });
});

test('a name with more certificates than the limit is a failure of the target, not of the search', async () => {
  const { ask } = await search(() =>
    Array.from({ length: 20_000 }, () => ctRow({ name_value: 'x'.repeat(200) })),
  );
  await expect(ask()).rejects.toMatchObject({ kind: 'target' });
});

test.each(['error', 'garbage', 'hang'] as const)(
  'a search that answers with "%s" is a failure of the upstream',
  async (mode) => {
    const { provider } = await search(
      () => [],
      (peer) => {
        peer.mode = mode;
      },
    );
    // Only the search that hangs gets a short deadline, which would otherwise hide the other failures.
    const ask = { signal: new AbortController().signal, deadlineMs: mode === 'hang' ? 300 : 30_000 };
    const failure = await provider.ask(domain('shop.example.com'), ask).then(
      () => null,
      (error: { kind?: string; reason?: string }) => error.kind ?? error.reason,
    );
    expect(failure).toBe(mode === 'hang' ? 'deadline' : 'upstream');
  },
);
