import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ServiceError } from '#platform/errors.ts';
import { createShedder, withDelayFactor } from '#platform/http/shedding.ts';
import { CALLER, listen, POLICY, plainRoute, recordedGates, testApp } from '#test/http-app.ts';
import { bySize } from '#test/lane.ts';
import { nestedJson } from '../../../attack/nested-json.ts';

const ATTACKER = { ...CALLER, id: 'key_attacker' };
const BODY_MAX = 1024 * 1024;

/** A route like the bulk route; `validated` counts the bodies that reached the schema, so those that were parsed. */
function attackedApp(refusesSpent: boolean) {
  const seen = { validated: 0, refused: 0 };
  const limited = () => {
    seen.refused += 1;
    throw new ServiceError('Rate Limited', 'Slow down.', { headers: { 'Retry-After': '7' } });
  };
  const { gates } = recordedGates({
    identify: (request) => (request.headers['x-api-key'] === 'attacker' ? ATTACKER : CALLER),
    admit: (_request, _reply, _policy, principal) => (principal === ATTACKER ? limited() : null),
  });
  const bulk = plainRoute({
    method: 'POST',
    path: '/bulk/check',
    policy: { ...POLICY, class: 'B', bodyMax: BODY_MAX },
    body: z
      .object({ entities: z.array(z.unknown().meta({ boundedBy: 'the size of the body' })).max(BODY_MAX) })
      .refine(() => {
        seen.validated += 1;
        return true;
      }),
  });
  const check = plainRoute({ path: '/check', handle: async () => ({ ok: true }) });
  const app = testApp([bulk, check], {
    gates: refusesSpent ? { ...gates, refuseSpent: limited } : gates,
    // The delays of production in the proofs; in the landing lane other work makes the loop late as well.
    shedder: createShedder(withDelayFactor(bySize(10, 1))),
  });
  return { app, seen };
}

describe('megabytes of nested JSON by a caller beyond its limit (reliability A7)', () => {
  test.each([
    ['is not known yet', false],
    ['is known to have spent its burst', true],
  ])('no check of others is refused when the caller %s, and no such body is parsed', async (_, known) => {
    const { app, seen } = attackedApp(known);
    const url = `http://127.0.0.1:${await listen(app)}`;
    const target = { url, bystanderKey: 'bystander', attackerKey: 'attacker', strength: 1 };
    const { held, figures } = await nestedJson.run(target);
    expect(figures).toMatchObject({ 'check answered': figures['check sent'] });
    expect(held).toBe(true);
    expect(seen.validated).toBe(0);
    expect(seen.refused).toBeGreaterThan(0);
    await app.close();
  });
});
