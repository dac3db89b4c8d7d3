import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { orgIndicatorsRoutes } from '#capabilities/org-indicators/index.ts';
import { sql } from '#platform/postgres.ts';
import { CALLER } from '#test/http-app.ts';
import { DAY_MS } from '#test/listed-corpus.ts';
import { openTaxiiRig, SHARED_ROOT, STIX, type TaxiiRig } from '#test/taxii-rig.ts';

const OTHER = { ...CALLER, id: 'key_02', accountId: 'org_02', userId: 'usr_02', organizationId: 'org_02' };

let rig: TaxiiRig;
beforeAll(async () => {
  rig = await openTaxiiRig(Date.UTC(2027, 0, 1), {
    routes: (postgres, clock) =>
      orgIndicatorsRoutes({ clock, postgres, dailyLimitOf: () => 1_000, warn: () => [] }),
  });
  await sql`insert into app_user (id, email, created_at) values
    ('usr_01', 'a@example.org', now()), ('usr_02', 'b@example.org', now())`.execute(rig.system.db);
});
afterAll(() => rig.close());
beforeEach(() => {
  rig.caller = CALLER;
});

describe('organizations', () => {
  const OWN = `${SHARED_ROOT}/org-reported-ips/objects`;
  const report = async (value: string, rest: object = {}) => {
    const payload = { indicators: [{ type: 'ip', value, category: 'c2', ...rest }] };
    const answer = await rig.app.inject({ method: 'POST', url: '/org/indicators', payload });
    expect(answer.statusCode, answer.body).toBe(200);
    return (answer.json() as { indicators: [{ id: string }] }).indicators[0].id;
  };
  const revoke = (id: string) => rig.app.inject({ method: 'DELETE', url: `/org/indicators/${id}` });
  const states = async (query = '') =>
    (await rig.walk(OWN, { query })).map(
      ({ name, revoked }) => `${name}${revoked === true ? ' revoked' : ''}`,
    );

  test('what is reported is there at once, revoked ones are told, and a restored value is a new object (traps 27, O12)', async () => {
    const id = await report('203.0.113.7');
    const [first] = await rig.walk(OWN);
    expect(first).toMatchObject({
      name: '203.0.113.7',
      pattern: "[ipv4-addr:value = '203.0.113.7']",
      labels: ['c2'],
      object_marking_refs: ['marking-definition--f88d31f6-486f-44da-b317-01333bde0b82'],
    });
    rig.pass(60_000);
    await revoke(id);
    const [revoked] = await rig.walk(OWN, { query: `&added_after=${first?.modified}` });
    expect(revoked).toMatchObject({ id: first?.id, created: first?.created, revoked: true });
    expect((revoked?.modified ?? '') > (first?.modified ?? '')).toBe(true);
    expect(await rig.walk(OWN.replace('ips', 'ips-observables'))).toEqual([]);
    rig.pass(60_000);
    await report('203.0.113.7');
    const [old, restored] = await rig.walk(OWN);
    expect(old).toMatchObject({ id: first?.id, revoked: true });
    expect(restored?.id).not.toBe(first?.id);
    expect(restored?.revoked).toBeUndefined();
    rig.pass(91 * DAY_MS);
    expect(await states()).toEqual(['203.0.113.7']);
  });

  test('what is allowed is no indicator: a blocked value that is allowed is revoked', async () => {
    await report('203.0.113.8', { disposition: 'allow' });
    expect(await states()).not.toContain('203.0.113.8');
    await report('203.0.113.8');
    expect(await states()).toContain('203.0.113.8');
    await report('203.0.113.8', { disposition: 'allow' });
    expect(await states()).toContain('203.0.113.8 revoked');
  });

  test('what ended leaves a whole walk, and its end is told', async () => {
    const endsAt = new Date(rig.clock.now() + 3_600_000).toISOString();
    await report('203.0.113.9', { endsAt });
    const object = (await rig.walk(OWN)).find(({ name }) => name === '203.0.113.9');
    expect(object?.valid_until).toBe(endsAt.replace('Z', '000Z'));
    rig.pass(7_200_000);
    expect(await states()).not.toContain('203.0.113.9');
    expect(await states('&added_after=2020-01-01T00:00:00Z')).toContain('203.0.113.9');
  });

  test('another organization sees none of them, in no collection and no twin (trap 28)', async () => {
    await report('203.0.113.10');
    rig.caller = OTHER;
    await report('198.51.100.1');
    for (const suffix of ['ips', 'domains', 'file-hashes', 'ips-observables']) {
      const seen = JSON.stringify(
        await rig.walk(`${SHARED_ROOT}/org-reported-${suffix}/objects`, { accept: STIX }),
      );
      expect(seen).not.toContain('203.0.113.');
    }
    expect(await states()).toEqual(['198.51.100.1']);
    rig.caller = CALLER;
    expect(await states()).not.toContain('198.51.100.1');
  });

  test('dates grow with every change and are never equal', async () => {
    const payload = {
      indicators: Array.from({ length: 50 }, (_, at) => ({
        type: 'ip',
        value: `203.0.114.${at}`,
        category: 'c2',
      })),
    };
    await rig.app.inject({ method: 'POST', url: '/org/indicators', payload });
    const dates = (await rig.walk(OWN, { limit: () => 7 })).map(({ modified }) => modified);
    expect(new Set(dates).size).toBe(dates.length);
    expect(dates).toEqual(dates.toSorted());
  });
});
