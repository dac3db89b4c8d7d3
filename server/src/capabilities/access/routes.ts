import { z } from 'zod';
import { DEFAULT_BODY_MAX, DEFAULT_DEADLINE_MS, type Policy } from '#platform/http/policy.ts';
import type { Principal } from '#platform/http/principal.ts';
import { type Route, route } from '#platform/http/route.ts';
import { postgresFailure } from '#platform/postgres.ts';
import { actorOf } from './audit.ts';
import {
  type ApiKey,
  ApiKeyList,
  CreateKeyBody,
  KeyParams,
  RevealedApiKey,
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
import type { KeyRow } from './store.ts';

/** Decisions 3.2: a key cannot make keys, so these take a dashboard session only. */
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
    handle: async ({ principal }) => ({
      keys: (await listKeys(deps, scopeOf(principal)).catch(rethrow)).map(toApiKey),
    }),
  }),
  route({
    method: 'POST',
    path: '/user/keys',
    summary: 'Make a key pair. Its secret is shown this once.',
    tags: TAGS,
    policy: { ...POLICY, role: WRITERS, idempotent: true, audit: 'key.create' },
    body: CreateKeyBody,
    reply: RevealedApiKey,
    status: 201,
    handle: async ({ principal, request, body }) => {
      const wanted = {
        accountId: principal.accountId,
        userId: principal.userId,
        label: body.label ?? '',
        allowedCidrs: body.allowedCidrs ?? [],
      };
      return toRevealed(await createKey(deps, actorOf(principal, request), wanted).catch(rethrow));
    },
  }),
  route({
    method: 'DELETE',
    path: '/user/keys/:id',
    summary: 'Revoke a key. It is refused everywhere within a second.',
    tags: TAGS,
    policy: { ...POLICY, role: WRITERS, audit: 'key.revoke' },
    params: KeyParams,
    reply: z.undefined(),
    status: 204,
    handle: async ({ principal, request, params }) => {
      await revokeKey(deps, actorOf(principal, request), scopeOf(principal), params.id).catch(rethrow);
      return undefined;
    },
  }),
  route({
    method: 'POST',
    path: '/user/keys/:id/rotate',
    summary: 'Give a key a new secret; the old one is accepted for up to a day.',
    tags: TAGS,
    policy: { ...POLICY, role: WRITERS, idempotent: true, audit: 'key.rotate' },
    params: KeyParams,
    body: RotateKeyBody.optional(),
    reply: RevealedApiKey,
    handle: async ({ principal, request, params, body }) => {
      const overlapMs =
        body?.overlapSeconds === undefined ? ROTATION_OVERLAP_MAX_MS : body.overlapSeconds * 1_000;
      const actor = actorOf(principal, request);
      return toRevealed(
        await rotateKey(deps, actor, scopeOf(principal), params.id, overlapMs).catch(rethrow),
      );
    },
  }),
];

/** Owners and administrators act for the whole organization, everybody else for their own keys in it. */
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
});

const toRevealed = (key: RevealedKey): RevealedApiKey => ({
  ...toApiKey(key),
  apiSecret: key.apiSecret,
  authHeader: `X-API-KEY: ${key.credential}`,
});

const rethrow = (error: unknown): never => {
  throw postgresFailure(error);
};
