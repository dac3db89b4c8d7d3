import {
  type Actor,
  createKey,
  createUser,
  ensureMembership,
  ensureOrganization,
  putMembership,
  setPlan,
} from '../../server/src/capabilities/access/index.ts';
import { PLAN_LIMITS } from '../../server/src/domain/plans/plans.ts';
import type { Principal } from '../../server/src/platform/http/principal.ts';
import { createSecrets } from '../../server/src/platform/secrets.ts';
import { DAY_MS } from '../../server/src/platform/time-units.ts';
import type { KeyPair } from '../home.ts';
import { MEMBERS, ORGANIZATION, OWNER } from '../sample/organization.ts';
import { clockAt, type Seeding } from './seeding.ts';

const OPERATOR: Actor = { kind: 'operator', id: 'demo', ip: '', requestId: '' };
const PLAN = 'ENTERPRISE';
const FOUNDED_AGO_MS = 24 * DAY_MS;

export const LIMITS = PLAN_LIMITS[PLAN];

export type Account = {
  readonly keyPair: KeyPair;
  /** The owner of the organization, as the caller of its use cases. */
  readonly by: { readonly principal: Principal; readonly actor: Actor };
};

/** Creates the organization with its members and plan, a key of its firewall, and the key pair that is printed. */
export async function seedAccount({ system, config, todayMs }: Seeding): Promise<Account> {
  const deps = { postgres: system, clock: clockAt(todayMs - FOUNDED_AGO_MS) };
  const userId = await createUser(deps, OPERATOR, OWNER);
  const organizationId = await ensureOrganization(deps, OPERATOR, ORGANIZATION);
  await ensureMembership(deps, OPERATOR, organizationId, userId);
  for (const { email, role } of MEMBERS)
    await putMembership(deps, OPERATOR, organizationId, await createUser(deps, OPERATOR, email), role);
  await setPlan(deps, OPERATOR, organizationId, { plan: PLAN });
  const pepper = createSecrets(config.KEY_PEPPER);
  const owned = { accountId: organizationId, userId };
  await createKey({ ...deps, pepper }, OPERATOR, {
    ...owned,
    label: 'Firewall of the office (invented)',
    allowedCidrs: ['203.0.113.0/24'],
    canSignIn: false,
  });
  const key = await createKey({ ...deps, clock: clockAt(todayMs), pepper }, OPERATOR, {
    ...owned,
    label: 'demonstration',
    allowedCidrs: [],
    canSignIn: true,
  });
  const { id, apiKey, apiSecret, credential } = key;
  return {
    keyPair: { apiKey, apiSecret, header: credential },
    by: {
      principal: {
        kind: 'key',
        id,
        accountId: organizationId,
        userId,
        organizationId,
        role: 'OWNER',
        plan: PLAN,
      },
      actor: { kind: 'key', id, ip: '127.0.0.1', requestId: '' },
    },
  };
}
