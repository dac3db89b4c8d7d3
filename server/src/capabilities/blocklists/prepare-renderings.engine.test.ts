import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLER } from '#test/http-app.ts';
import { openListsRig } from '#test/lists-rig.ts';

const FULL = { ...CALLER, plan: 'BASIC' };
const LIST = 'blocklist-ips-c2.txt';
const NFT = { format: 'nftables', encoding: 'gzip' };

let rig: Awaited<ReturnType<typeof openListsRig>>;
beforeAll(async () => {
  rig = await openListsRig();
});
afterAll(() => rig?.close());

test('a new version is served when it is written in the formats that callers asked of the one before', async () => {
  const pull = () => rig.get(`${LIST}?format=nftables`, FULL, { 'accept-encoding': 'gzip' });
  await rig.put(LIST, ['9.0.0.1']);
  expect(rig.ready(LIST)).toEqual([]);
  const first = await pull();
  expect(rig.ready(LIST)).toEqual([{ ...NFT, isAsked: true }]);

  await rig.put(LIST, ['9.0.0.1', '9.0.0.2']);
  expect(rig.ready(LIST)).toEqual([{ ...NFT, isAsked: false }]);
  const second = await pull();
  expect(second.headers.etag).not.toBe(first.headers.etag);
  expect(second.headers['x-blocklist-entries']).toBe('2');
  // The caller got the prepared rendering: it is still the only one, and now marked as asked.
  expect(rig.ready(LIST)).toEqual([{ ...NFT, isAsked: true }]);

  // No caller pulled the third version in this format, so the fourth is not written in it.
  await rig.put(LIST, ['9.0.0.1', '9.0.0.3']);
  expect(rig.ready(LIST)).toEqual([{ ...NFT, isAsked: false }]);
  await rig.put(LIST, ['9.0.0.1', '9.0.0.4']);
  expect(rig.ready(LIST)).toEqual([]);
});
