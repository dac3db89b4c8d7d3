import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { mailRoutes } from '#capabilities/mail/index.ts';
import type { Principal } from '#platform/http/principal.ts';
import { listen, PUBLIC, plainRoute, recordedGates, testApp } from '#test/http-app.ts';
import { type MailRig, openMailRig } from '#test/mail/mail-rig.ts';
import { testCaller } from '#test/meter.ts';
import type { Attack } from '../../../attack/attack.ts';
import { gateScanSlots, mailScanSlots } from '../../../attack/half-sent-scans.ts';

/** Four slots, as on a node of two cores. */
const SLOTS = 4;
let rig: MailRig;
beforeAll(async () => {
  rig = await openMailRig();
});
afterAll(() => rig?.close());

/** Gives every caller an account of its own, as instant keys do. */
function instantKeys() {
  let given = 0;
  return plainRoute({
    method: 'POST',
    path: '/keys/instant',
    policy: { ...PUBLIC, surface: 'web', class: 'B', meter: 'public' },
    body: z.object({ email: z.string().max(100) }),
    status: 201,
    reply: z.object({ apiKey: z.string().max(100), apiSecret: z.string().max(100) }),
    handle: () => {
      given += 1;
      return { apiKey: `attacker${given}`, apiSecret: 'secret' };
    },
  });
}

function callerOf(credential: string | undefined): Principal {
  const id =
    credential === undefined ? 'nobody' : (Buffer.from(credential, 'base64').toString().split(':')[0] ?? '');
  return testCaller(id === 'bystander' ? 'ENTERPRISE' : 'FREE', { accountId: `org_${id}`, id });
}

async function attacked(attack: Attack) {
  const { gates, calls } = recordedGates({
    identify: ({ headers }) => callerOf(headers['x-api-key']?.toString()),
  });
  const threads = rig.threadsOf({ slots: SLOTS });
  const app = testApp([instantKeys(), ...mailRoutes(rig.depsWith(threads))], { gates });
  const url = `http://127.0.0.1:${await listen(app)}`;
  const bystanderKey = Buffer.from('bystander:secret').toString('base64');
  const result = await attack.run({ url, bystanderKey, attackerKey: '', strength: 1 });
  app.server.closeAllConnections();
  await app.close();
  return { ...result, calls, busy: threads.busy() };
}

describe('half-sent bodies of scans hold no scan slot (reliability A8)', () => {
  test.each([mailScanSlots, gateScanSlots])(
    '$name: 40 of 20 accounts stop no scan of another caller',
    async (attack) => {
      const { held, figures, busy } = await attacked(attack);
      expect(figures).toMatchObject({ accounts: 20, connections: 40, 'scan sent': 50, 'scan answered': 50 });
      expect(held).toBe(true);
      expect(busy).toBe(0);
    },
  );
});
