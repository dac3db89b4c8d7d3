import { expect, test } from 'vitest';
import { openGuarded } from './guard.ts';
import { parseAllowed } from './target.ts';

const nobodysOwn = () => new Set<string>();
const options = { policy: { allowed: [], denied: [], own: nobodysOwn } };

function connection(remoteAddress: string | undefined) {
  const state = { isDestroyed: false };
  return {
    state,
    remoteAddress,
    destroy: () => {
      state.isDestroyed = true;
    },
  };
}

test.each([['127.0.0.1'], ['198.20.0.81'], ['::ffff:10.0.0.1'], [undefined]])(
  'a connection to %s instead of the checked address is closed',
  async (reached) => {
    const other = connection(reached);
    const opening = openGuarded(options, { host: '198.20.0.80', port: 443 }, async () => other);
    await expect(opening).rejects.toMatchObject({ reason: 'address' });
    expect(other.state.isDestroyed).toBe(true);
  },
);

test('another spelling of the same address is the same address', async () => {
  const same = connection('::ffff:198.20.0.80');
  const opening = openGuarded(options, { host: '198.20.0.80', port: 443 }, async () => same);
  expect(await opening).toBe(same);
  expect(same.state.isDestroyed).toBe(false);
});

test('a refused address is never connected to, and an allowance covers its own port only', async () => {
  const asked: string[] = [];
  const connect = async (address: string) => {
    asked.push(address);
    return connection(address);
  };
  const open = { policy: { allowed: [parseAllowed('127.0.0.1/32:8081')], denied: [], own: nobodysOwn } };
  await expect(openGuarded(open, { host: '127.0.0.1', port: 43 }, connect)).rejects.toMatchObject({
    reason: 'address',
  });
  expect(asked).toEqual([]);
  await openGuarded(open, { host: '127.0.0.1', port: 8081 }, connect);
  expect(asked).toEqual(['127.0.0.1']);
});

test('no connection is opened after an abort', async () => {
  const over = AbortSignal.abort(new Error('over'));
  const opening = openGuarded(options, { host: '198.20.0.80', port: 43, signal: over }, async (address) =>
    connection(address),
  );
  await expect(opening).rejects.toThrow('over');
});
