import { z } from 'zod';
import { DEFAULT_BODY_MAX, DEFAULT_DEADLINE_MS, type Policy } from '#platform/http/policy.ts';
import type { Principal } from '#platform/http/principal.ts';
import { type Route, route } from '#platform/http/route.ts';
import { actorOf } from './audit.ts';
import { callerOf } from './caller.ts';
import {
  type ApiKey,
  ApiKeyList,
  CreateKeyBody,
  KeyParams,
  RevealedApiKey,
  RevokeKeyQuery,
  RotateKeyBody,
} from './contract.ts';
import {
  createKey,
  type KeyScope,
  listKeys,
  type ManageKeysDeps,
  type RevealedKey,
  ROTATION_OVERLAP_MAX_MS,
  revokeKey,
  rotateKey,
} from './manage-keys.ts';
import { demandRecentProof } from './recent-proof.ts';
import type { KeyRow } from './store.ts';

/** A key cannot make keys, so these routes accept only a dashboard session (decisions 3.2). */
const POLICY: Policy = {
  surface: 'both',
  auth: 'session',
  plan: 'any',
  meter: 'none',
  bodyMax: DEFAULT_BODY_MAX,
  deadlineMs: DEFAULT_DEADLINE_MS,
  class: 'D',
  since: '1.0.0',
};
const WRITERS = ['OWNER', 'ADMIN', 'MEMBER'] as const;
const TAGS = ['Keys'];

export const accessRoutes = (deps: ManageKeysDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/user/keys',
    summary: 'The API keys of your account, without their secrets.',
    description:
      'Owners and administrators of an organization see the keys of every member; others see their own.',
    tags: TAGS,
    policy: POLICY,
    reply: ApiKeyList,
    handle: async ({ principal }) => ({ keys: await listFor(deps, principal) }),
  }),
  route({
    method: 'POST',
    path: '/user/keys',
    summary: 'Make a key pair. Its secret is shown this once.',
    description:
      'In a session that a key pair opened, the new key counts as made by that key: it inherits its allow list, may narrow it, and is revoked with it.',
    tags: TAGS,
    policy: { ...POLICY, role: WRITERS, idempotent: true },
    body: CreateKeyBody,
    reply: RevealedApiKey,
    status: 201,
    handle: async ({ principal, request, body }) => {
      demandRecentProof(deps.clock, principal);
      const wanted = {
        accountId: principal.accountId,
        userId: principal.userId,
        label: body.label ?? '',
        allowedCidrs: body.allowedCidrs ?? [],
        canSignIn: body.canSignIn ?? true,
        parentId: sessionKeyOf(principal),
      };
      return toRevealed(await createKey(deps, actorOf(principal, request), wanted));
    },
  }),
  route({
    method: 'DELETE',
    path: '/user/keys/:id',
    summary: 'Revoke a key. It is refused everywhere within a second.',
    description:
      'Keys made in its sessions, and sessions of all of them, end with it, unless keepDescendants is true.',
    tags: TAGS,
    policy: { ...POLICY, role: WRITERS },
    params: KeyParams,
    query: RevokeKeyQuery,
    reply: z.undefined(),
    status: 204,
    handle: async ({ principal, request, params, query }) => {
      demandRecentProof(deps.clock, principal);
      await revokeKey(deps, actorOf(principal, request), scopeOf(principal), params.id, {
        sessionKeyId: sessionKeyOf(principal),
        keepsDescendants: query.keepDescendants === 'true',
      });
      return undefined;
    },
  }),
  route({
    method: 'POST',
    path: '/user/keys/:id/rotate',
    summary: 'Give a key a new secret; the old one is accepted for up to a day.',
    description:
      'A session that a key pair opened can rotate that key and the keys made with it. Keys made in sessions of a rotated key stay.',
    tags: TAGS,
    policy: { ...POLICY, role: WRITERS, idempotent: true },
    params: KeyParams,
    body: RotateKeyBody.optional(),
    reply: RevealedApiKey,
    handle: async ({ principal, request, params, body }) => {
      demandRecentProof(deps.clock, principal);
      const overlapMs =
        body?.overlapSeconds === undefined ? ROTATION_OVERLAP_MAX_MS : body.overlapSeconds * 1_000;
      const actor = actorOf(principal, request);
      const change = { sessionKeyId: sessionKeyOf(principal) };
      return toRevealed(await rotateKey(deps, actor, scopeOf(principal), params.id, overlapMs, change));
    },
  }),
];

async function listFor(deps: ManageKeysDeps, principal: Principal): Promise<ApiKeyList['keys']> {
  const { keys, openSessions } = await listKeys(deps, scopeOf(principal));
  const sessionKeyId = sessionKeyOf(principal);
  return keys.map((key) => ({
    ...toApiKey(key),
    openSessions: openSessions.get(key.id) ?? 0,
    opensThisSession: key.id === sessionKeyId,
  }));
}

const sessionKeyOf = (principal: Principal): string | null => callerOf(principal)?.keyId ?? null;

/** Owners and administrators act for the whole organization, other members for their own keys. */
function scopeOf({ accountId, userId, role }: Principal): KeyScope {
  const actsForAll = role === 'OWNER' || role === 'ADMIN';
  return { accountId, userId: actsForAll ? null : userId };
}

const toApiKey = (key: KeyRow): ApiKey => ({
  id: key.id,
  apiKey: key.apiKey,
  label: key.label,
  createdAt: key.createdAt.toISOString(),
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  allowedCidrs: [...key.allowedCidrs],
  previousSecretValidUntil: key.previousValidUntil?.toISOString() ?? null,
  parentId: key.parentId,
  canSignIn: key.canSignIn,
});

const toRevealed = (key: RevealedKey): RevealedApiKey => ({
  ...toApiKey(key),
  apiSecret: key.apiSecret,
  authHeader: `X-API-KEY: ${key.credential}`,
});
