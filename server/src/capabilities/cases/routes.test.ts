import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Principal } from '#platform/http/principal.ts';
import { type CasesRig, createCasesRig, type MadeCase, RIG_NOW } from '#test/cases-rig.ts';
import { CALLER } from '#test/http-app.ts';

const OTHER: Principal = { ...CALLER, id: 'key_02', accountId: 'org_02', organizationId: 'org_02' };
const NOTE = { kind: 'note', title: 'Host isolated', payload: { host: 'ws-12' } };

let rig: CasesRig;
beforeAll(async () => {
  rig = await createCasesRig({
    alert: async (_, accountId, id) => accountId === 'org_01' && id === 'alrt_01',
  });
});
afterAll(() => rig?.close());
const LIMITS = { cases: 1_000, evidenceBytes: 64 * 1_048_576 };
beforeEach(() => {
  rig.as(CALLER);
  Object.assign(rig.limits, LIMITS);
  rig.clock.set(RIG_NOW);
});

const patch = (id: string, body: object, headers?: Record<string, string>) =>
  rig.call('PATCH', `/cases/${id}`, body, headers);

describe('a case', () => {
  test('has every field of contract 2.10, and starts OPEN and MEDIUM', async () => {
    const { status, body, headers } = await rig.call('POST', '/cases', {
      title: ' Beacon ',
      entityType: 'ip',
      entityValue: '203.0.113.7',
      linkedAlertId: 'alrt_01',
    });
    expect(status).toBe(201);
    expect(headers.etag).toBe('"v1"');
    expect(body).toEqual({
      id: expect.stringMatching(/^case_[0-9A-Z]{26}$/),
      userId: 'usr_01',
      organizationId: 'org_01',
      title: 'Beacon',
      description: null,
      status: 'OPEN',
      priority: 'MEDIUM',
      entityType: 'ip',
      entityValue: '203.0.113.7',
      linkedAlertId: 'alrt_01',
      linkedCveFindingId: null,
      linkedReportId: null,
      evidence: [],
      createdAt: '2026-11-16T12:00:00.000Z',
      updatedAt: '2026-11-16T12:00:00.000Z',
    });
  });

  test('an unknown link is 400 with its name', async () => {
    const { status, body } = await rig.call('POST', '/cases', {
      title: 'x',
      linkedAlertId: 'alrt_02',
      linkedReportId: "rpt_' or 1=1",
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      details: [{ path: 'linkedAlertId' }, { path: 'linkedReportId' }],
    });
  });

  test('a change of status is evidence; priority in any letter case; null clears; nothing is 400', async () => {
    const { id } = await rig.open({ title: 'A', description: 'first', priority: 'high' });
    rig.clock.set(RIG_NOW + 1_000);
    const { body } = await patch(id, { status: 'in_progress', description: null, priority: 'critical' });
    expect(body).toMatchObject({
      status: 'IN_PROGRESS',
      priority: 'CRITICAL',
      description: null,
      updatedAt: '2026-11-16T12:00:01.000Z',
      evidence: [
        {
          kind: 'status_change',
          title: 'Status changed from open to in progress',
          payload: { from: 'OPEN', to: 'IN_PROGRESS', by: 'usr_01' },
        },
      ],
    });
    expect((await patch(id, {})).status).toBe(400);
    expect((await patch(id, { status: 'GONE' })).status).toBe(400);
    const same = await patch(id, { status: 'IN_PROGRESS' });
    expect(same.headers.etag).toBe('"v2"');
  });

  test('trap 69: a foreign case is 404; CLOSED to RESOLVED is 409; evidence answers 200 with the new piece last', async () => {
    const { id } = await rig.open();
    await rig.add(id);
    const { status, body } = await rig.call('POST', `/cases/${id}/evidence`, NOTE);
    expect(status).toBe(200);
    expect((body as MadeCase).evidence.map(({ title }) => title)).toEqual(['Seen', 'Host isolated']);
    expect((await patch(id, { status: 'CLOSED' })).status).toBe(200);
    expect((await patch(id, { status: 'RESOLVED' })).status).toBe(409);
    expect((await patch(id, { status: 'OPEN' })).status).toBe(200);
    rig.as(OTHER);
    for (const answer of [
      await patch(id, { title: 'x' }),
      await rig.call('POST', `/cases/${id}/evidence`, NOTE),
      await rig.call('GET', `/cases/${id}`),
      await rig.call('GET', `/cases/${id}/verify`),
      await rig.call('GET', `/cases/${id}/export`),
      await rig.call('GET', '/cases/case_%00'),
    ])
      expect(answer.status).toBe(404);
    expect((await rig.call('GET', '/cases')).body).toEqual([]);
  });

  test('a stale If-Match is 409 and names who changed the case and when; a fitting one is taken', async () => {
    const { id } = await rig.open();
    const read = await rig.call('GET', `/cases/${id}`);
    expect(read.headers.etag).toBe('"v1"');
    rig.clock.set(RIG_NOW + 5_000);
    expect((await patch(id, { title: 'B' }, { 'if-match': '"v1"' })).status).toBe(200);
    const stale = await patch(id, { title: 'C' }, { 'if-match': '"v1"' });
    expect(stale).toMatchObject({
      status: 409,
      body: {
        message: expect.stringMatching(/^usr_01 changed this case at 2026-11-16T12:00:05\.000Z/),
        changedBy: 'usr_01',
        changedAt: '2026-11-16T12:00:05.000Z',
      },
    });
    expect(stale.headers.etag).toBe('"v2"');
    expect((await rig.call('GET', `/cases/${id}`, undefined, { 'if-none-match': '"v2"' })).status).toBe(304);
  });
});

describe('evidence', () => {
  test.each([
    ['a kind with capitals', { ...NOTE, kind: 'Note' }],
    ['the kind of the service', { ...NOTE, kind: 'status_change' }],
    ['no title', { kind: 'note', payload: {} }],
    ['a list as payload', { ...NOTE, payload: [] }],
    ['half a surrogate pair', { ...NOTE, payload: { a: '\ud800' } }],
    ['half a surrogate pair in the title', { ...NOTE, title: 'a\ud800' }],
    ['21 levels', { ...NOTE, payload: JSON.parse(`${'{"a":'.repeat(20)}{}${'}'.repeat(20)}`) }],
    ['more than 64 KiB', { ...NOTE, payload: { a: 'x'.repeat(65_536) } }],
  ])('%s is 400', async (_, body) => {
    const { id } = await rig.open();
    expect((await rig.call('POST', `/cases/${id}/evidence`, body)).status).toBe(400);
  });

  test('of 64 KiB and 20 levels is kept', async () => {
    const { id } = await rig.open();
    const deep = JSON.parse(`${'{"a":'.repeat(19)}{}${'}'.repeat(19)}`);
    await rig.add(id, { ...NOTE, payload: deep });
    const kept = await rig.add(id, { ...NOTE, payload: { a: 'x'.repeat(65_536 - 8) } });
    expect(kept.evidence).toHaveLength(2);
    expect((await rig.call('GET', `/cases/${id}/verify`)).body).toMatchObject({ ok: true, length: 2 });
  });

  test('the 501st piece is 409, and the case can still be closed', async () => {
    const { id } = await rig.open();
    await rig.add(id);
    await rig.owner.query('update action_case set evidence_count = 500 where id = $1', [id]);
    expect((await rig.call('POST', `/cases/${id}/evidence`, NOTE)).status).toBe(409);
    expect((await patch(id, { status: 'CLOSED' })).status).toBe(200);
  });

  test('sent twice under one Idempotency-Key is one piece', async () => {
    const { id } = await rig.open();
    const headers = { 'idempotency-key': 'one' };
    const sent = [1, 2, 3].map(() => rig.call('POST', `/cases/${id}/evidence`, NOTE, headers));
    await Promise.all(sent);
    const { body } = await rig.call('GET', `/cases/${id}`);
    expect((body as MadeCase).evidence).toHaveLength(1);
  });

  test('a retry is answered with the first body and ETag', async () => {
    const { id } = await rig.open();
    const headers = { 'idempotency-key': 'alike' };
    const first = await rig.call('POST', `/cases/${id}/evidence`, NOTE, headers);
    await rig.add(id);
    const again = await rig.call('POST', `/cases/${id}/evidence`, NOTE, headers);
    expect(first.headers.etag).toBe('"v2"');
    expect([again.status, again.text, again.headers.etag]).toEqual([200, first.text, '"v2"']);
  });

  test('a case of more than 1 MiB takes a piece under an Idempotency-Key once, and a retry shows it as it is now', async () => {
    const { id } = await rig.open();
    for (let at = 0; at < 17; at += 1) await rig.add(id, { ...NOTE, payload: { a: 'x'.repeat(65_000) } });
    const headers = { 'idempotency-key': 'long' };
    const first = await rig.call('POST', `/cases/${id}/evidence`, NOTE, headers);
    expect([first.status, (first.body as MadeCase).evidence?.length]).toEqual([200, 18]);
    const again = await rig.call('POST', `/cases/${id}/evidence`, NOTE, headers);
    expect([again.status, again.text, again.headers.etag]).toEqual([200, first.text, first.headers.etag]);
    await rig.add(id);
    const later = await rig.call('POST', `/cases/${id}/evidence`, NOTE, headers);
    expect([later.status, (later.body as MadeCase).evidence?.length]).toEqual([200, 19]);
  });

  test('cannot be changed or deleted by the role of the service', async () => {
    const { id } = await rig.open();
    await rig.add(id);
    for (const statement of [
      `update case_evidence set title = 'x' where case_id = '${id}'`,
      `delete from case_evidence where case_id = '${id}'`,
      `delete from action_case where id = '${id}'`,
      `update account_seal set heads = 0`,
      `delete from case_seal`,
      `insert into evidence_root (day, root, seals, created_at) values (now(), sha256(''), 0, now())`,
    ])
      await expect(rig.postgres.pool.query(statement)).rejects.toThrow(/permission denied/);
    await expect(rig.system.pool.query(`update case_evidence set title = 'x'`)).rejects.toThrow(
      /permission denied/,
    );
  });
});

describe('the plan', () => {
  const inAll = async (accountId: string) => {
    const { rows } = await rig.owner.query(
      `select (select count(*)::int from action_case where account_id = a.account_id) as cases, a.cases as "countedCases",
              (select sum(evidence_bytes)::int from action_case where account_id = a.account_id) as bytes,
              a.evidence_bytes::int as "countedBytes"
         from case_account a where account_id = $1`,
      [accountId],
    );
    return rows[0] as { cases: number; countedCases: number; bytes: number; countedBytes: number };
  };

  test('403: an account has no more cases than its plan, also when they are opened at once', async () => {
    rig.as({ ...CALLER, accountId: 'org_06' });
    rig.limits.cases = 3;
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => rig.call('POST', '/cases', { title: 'x' })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 201, 403, 403, 403,
    ]);
    expect(answers.find(({ status }) => status === 403)?.body).toMatchObject({
      message: expect.stringMatching(/the 3 cases of its plan.*larger plan/),
    });
    expect(await inAll('org_06')).toMatchObject({ cases: 3, countedCases: 3 });
    rig.limits.cases = 4;
    expect((await rig.call('POST', '/cases', { title: 'x' })).status).toBe(201);
  });

  test('403: the evidence of all cases together stays within the plan, also when it is added to many at once', async () => {
    rig.as({ ...CALLER, accountId: 'org_07' });
    const ids = await Promise.all([1, 2, 3, 4].map(async () => (await rig.open()).id));
    rig.limits.evidenceBytes = 5_000;
    const piece = { ...NOTE, payload: { a: 'x'.repeat(1_000) } };
    const answers = await Promise.all(
      [...ids, ...ids].map((id) => rig.call('POST', `/cases/${id}/evidence`, piece)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 403, 403, 403, 403,
    ]);
    expect(answers.find(({ status }) => status === 403)?.body).toMatchObject({
      message: expect.stringMatching(/room for \d+ of its 5000 bytes of evidence.*larger plan/),
    });
    const { bytes, countedBytes } = await inAll('org_07');
    expect(bytes).toBe(countedBytes);
    expect(bytes).toBeLessThanOrEqual(5_000);
    rig.as({ ...CALLER, accountId: 'org_08' });
    await rig.add((await rig.open()).id, piece);
  });

  test('a status changes also where the plan has no room, and its evidence is counted', async () => {
    rig.as({ ...CALLER, accountId: 'org_09' });
    const { id } = await rig.open();
    rig.limits.evidenceBytes = 0;
    expect((await rig.call('POST', `/cases/${id}/evidence`, NOTE)).status).toBe(403);
    expect(await patch(id, { status: 'RESOLVED' })).toMatchObject({
      status: 200,
      body: { evidence: [{ kind: 'status_change' }] },
    });
    const { bytes, countedBytes } = await inAll('org_09');
    expect(bytes).toBeGreaterThan(0);
    expect(countedBytes).toBe(bytes);
  });
});

describe('the list', () => {
  test('is a bare array, newest first, by pages with Link and X-Total-Count', async () => {
    rig.as({ ...CALLER, accountId: 'org_03' });
    const made: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      rig.clock.set(RIG_NOW + at * 10);
      made.unshift((await rig.open({ title: `Case ${at}`, priority: at < 2 ? 'LOW' : 'HIGH' })).id);
    }
    const seen: string[] = [];
    let path: string | null = '/cases?limit=2&priority=high';
    while (path !== null) {
      const { body, headers } = await rig.call('GET', path);
      expect(headers['x-total-count']).toBe('3');
      seen.push(...(body as MadeCase[]).map(({ id }) => id));
      path =
        /^<([^>]+)>; rel="next"$/.exec(typeof headers.link === 'string' ? headers.link : '')?.[1] ?? null;
    }
    expect(seen).toEqual(made.slice(0, 3));
    expect((await rig.call('GET', '/cases?limit=0')).status).toBe(400);
    expect((await rig.call('GET', '/cases?limit=9999')).status).toBe(200);
    expect((await rig.call('GET', '/cases?status=closed')).body).toEqual([]);
  });

  test('a page ends where its evidence passes 8 MiB, and the next one goes on', async () => {
    rig.as({ ...CALLER, accountId: 'org_04' });
    for (let at = 0; at < 3; at += 1) await rig.open();
    await rig.owner.query(`update action_case set evidence_bytes = 5000000 where account_id = 'org_04'`);
    const { body, headers } = await rig.call('GET', '/cases');
    expect(body).toHaveLength(1);
    expect(headers.link).toMatch(/cursor=case_/);
  });
});

test('every change is in the audit trail and told as an event', async () => {
  rig.as({ ...CALLER, accountId: 'org_05' });
  const { id } = await rig.open();
  await rig.add(id);
  await patch(id, { status: 'RESOLVED' });
  const audit = await rig.owner.query(
    `select action from audit_entry where account_id = 'org_05' order by id`,
  );
  expect(audit.rows.map(({ action }) => String(action)).toSorted()).toEqual([
    'case.create',
    'case.evidence.add',
    'case.update',
  ]);
  const events = await rig.owner.query(
    `select type, payload from event_outbox where account_id = 'org_05' order by draft`,
  );
  expect(events.rows).toMatchObject([
    { type: 'case.created', payload: { id, status: 'OPEN', evidenceCount: 0 } },
    { type: 'case.updated', payload: { id, evidenceCount: 1 } },
    { type: 'case.updated', payload: { id, status: 'RESOLVED', evidenceCount: 2 } },
  ]);
});
