import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT_WRITES_ENV, type AccountWrite, AccountWriter } from '#test/account-writes.ts';
import { eventually } from '#test/eventually.ts';
import { type KilledService, startKilledService } from '#test/killed-service.ts';
import { bySize } from '#test/lane.ts';
import { headerOf, type SmtpPeer, startSmtpPeer } from '#test/peers/smtp-peer.ts';
import { keepResult } from '#test/proof-results.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { findWrongAccountWrites } from '#test/wrong-account-writes.ts';

const WRITES = bySize(150, 5_000);
const WRITERS = bySize(3, 12);
/** Each round kills one listener, the worker and the whole of PostgreSQL. */
const ROUNDS = bySize(1, 7);
/** Eight times the quarter of an hour that two quiet cores need. */
const TEST_MS = 2 * 3_600_000;

let killed: KilledService;
let peer: SmtpPeer;

beforeAll(async () => {
  peer = await startSmtpPeer();
  killed = await startKilledService({
    random: seededRandom('accounts-killed'),
    env: {
      ...ACCOUNT_WRITES_ENV,
      SMTP_URL: peer.url(),
      MAIL_FROM: 'Assay <no-reply@example.com>',
    },
  });
});
afterAll(async () => {
  await killed?.stop();
  await peer?.close();
});

test('no acknowledged write of an account is lost or done twice while the API, the worker and PostgreSQL are killed (reliability D1, D2, D3)', {
  timeout: TEST_MS,
}, async () => {
  const writers = Array.from(
    { length: WRITERS },
    (_, nth) => new AccountWriter(`writer${nth}`, killed.service.url, () => peer.received),
  );
  const writes = (): AccountWrite[] => writers.flatMap((writer) => writer.writes);
  const acknowledged = (): number => writes().filter(({ isKnown }) => isKnown).length;
  const running = Promise.all(writers.map((writer) => writer.run(() => acknowledged() >= WRITES)));
  const killing = killed.killDuring({ rounds: ROUNDS, writes: WRITES, acknowledged });
  const [, kills] = await Promise.all([running, killing]);
  const client = new pg.Client({ connectionString: killed.ownerUrl });
  await client.connect();
  await eventually('every request is answered and every letter is sent', 900_000, async () => {
    const { rows } = await client.query<{ left: number }>(
      `select (select count(*) from account_request)::int + (select count(*) from letter where state = 'waiting')::int as left`,
    );
    return rows[0]?.left === 0;
  });
  const { rows: letters } = await client.query<{ id: string }>('select id from letter');
  const ids = peer.received.map((mail) => headerOf(mail, 'Message-ID'));
  const { lost, doubled } = await findWrongAccountWrites(client, writes(), peer.received);
  await expectFound(client, writes());
  await client.end();
  keepResult('accounts-killed', {
    acknowledged: acknowledged(),
    withoutAnswer: writes().length - acknowledged(),
    kills,
    lost: lost.length,
    doubled: doubled.length,
    letters: letters.length,
    lettersLost: letters.length - new Set(ids).size,
    lettersRepeated: ids.length - new Set(ids).size,
  });
  expect(acknowledged()).toBeGreaterThanOrEqual(WRITES);
  expect(new Set(writes().map(({ kind }) => kind)).size).toBe(11);
  expect(lost).toEqual([]);
  expect(doubled).toEqual([]);
  expect(new Set(ids)).toEqual(new Set(letters.map(({ id }) => `<${id}@example.com>`)));
});

/** Tests the judge: it must report a write that never happened as lost in every kind, and an unnoted one as doubled. */
async function expectFound(client: pg.Client, writes: readonly AccountWrite[]): Promise<void> {
  const kinds = [...new Set(writes.map(({ kind }) => kind))];
  const never = kinds.map((kind) => ({ kind, target: 'never', isKnown: true }));
  const { lost } = await findWrongAccountWrites(client, never, peer.received);
  for (const kind of kinds) expect(lost.some((each) => each.includes(`${kind} never`))).toBe(true);
  const role = writes.findIndex(({ kind, isKnown }) => kind === 'role' && isKnown);
  const { doubled } = await findWrongAccountWrites(client, writes.toSpliced(role, 1), peer.received);
  expect(doubled).toHaveLength(1);
}
