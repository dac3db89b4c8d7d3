import { z } from 'zod';
import { actorOf, callerOf, confirmSession, type Exchanged } from '#capabilities/access/index.ts';
import { forbidden } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import { type Route, route } from '#platform/http/route.ts';
import {
  CreationOptions,
  FactorList,
  type FactorName,
  NewPasskeyBody,
  NewTotp,
  Passkey,
  PasskeyParams,
  RecoveryCodes,
  TotpConfirmBody,
} from './contract.ts';
import { demandChangeProof } from './demand-change-proof.ts';
import type { FactorRoutesDeps } from './open-factor-routes.ts';
import { PERSON_POLICY, TAGS } from './policies.ts';
import type { PasskeyRow } from './store.ts';

const PROOF = 'Needs a proof of the last ten minutes (POST /api/auth/confirm). You are told by letter.';

export const factorRoutes = (deps: FactorRoutesDeps): readonly Route[] => [
  ...passkeyRoutes(deps),
  ...totpRoutes(deps),
  route({
    method: 'POST',
    path: '/auth/recovery-codes',
    summary: 'Make ten recovery codes. They are shown this once, and the earlier ones end.',
    description: `${PROOF} 409 without a passkey or an authenticator app.`,
    tags: TAGS,
    policy: PERSON_POLICY,
    otherStatuses: { 409: 'You have neither a passkey nor an authenticator app.' },
    reply: RecoveryCodes,
    status: 201,
    handle: async ({ principal, request }) => {
      await demandChangeProof(deps, principal);
      return deps.factors.renewRecoveryCodes(principal.userId, actorOf(principal, request));
    },
  }),
];

const passkeyRoutes = (deps: FactorRoutesDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/auth/passkeys',
    summary: 'Your passkeys, and which other second factors you have.',
    tags: TAGS,
    policy: PERSON_POLICY,
    reply: FactorList,
    handle: async ({ principal }) => {
      if (callerOf(principal)?.proof?.method === 'sso')
        throw forbidden(
          'A session of single sign-on works for its organization alone. Sign in with your password to see your second factors.',
        );
      const { state, passkeys } = await deps.factors.describe(principal.userId);
      return {
        passkeys: passkeys.map(toPasskey),
        hasTotp: state.hasTotp,
        recoveryCodesLeft: state.recoveryCodes,
      };
    },
  }),
  route({
    method: 'POST',
    path: '/auth/passkeys/options',
    summary: 'Ask for a challenge to make a passkey with.',
    description: `${PROOF} The challenge works once, for five minutes. 409 where PUBLIC_WEB_URL is an address at which browsers offer no passkeys.`,
    tags: TAGS,
    policy: PERSON_POLICY,
    otherStatuses: {
      404: 'Your account was deleted a moment ago.',
      409: 'You have the maximum of passkeys, or browsers offer none at the address of this dashboard.',
    },
    reply: CreationOptions,
    handle: async ({ principal }) => {
      await demandChangeProof(deps, principal);
      return deps.factors.offerCreation(principal.userId);
    },
  }),
  route({
    method: 'POST',
    path: '/auth/passkeys',
    summary: 'Register a passkey. It signs in alone, and is a second factor beside the password.',
    description: `${PROOF} The session goes on under a new cookie, and counts as opened with the passkey too.`,
    tags: TAGS,
    policy: PERSON_POLICY,
    body: NewPasskeyBody,
    otherStatuses: {
      409: 'The passkey is registered already, or you have the maximum of passkeys.',
    },
    reply: Passkey,
    status: 201,
    handle: async (call) => {
      const { principal, request, body } = call;
      await demandChangeProof(deps, principal);
      const added = await deps.factors.addPasskey(principal.userId, body, actorOf(principal, request));
      await noteShown(deps, call, principal, 'passkey');
      return toPasskey(added);
    },
  }),
  route({
    method: 'DELETE',
    path: '/auth/passkeys/:id',
    summary: 'Remove one of your passkeys.',
    description: `${PROOF} Recovery codes end with the last factor.`,
    tags: TAGS,
    policy: PERSON_POLICY,
    params: PasskeyParams,
    reply: z.undefined(),
    status: 204,
    handle: async ({ principal, request, params }) => {
      await demandChangeProof(deps, principal);
      await deps.factors.removePasskey(principal.userId, params.id, actorOf(principal, request));
      return undefined;
    },
  }),
];

const totpRoutes = (deps: FactorRoutesDeps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/auth/totp',
    summary: 'Ask for a secret for an authenticator app. It is shown this once.',
    description: `${PROOF} It counts after its first code (POST /api/auth/totp/confirm), which it waits for 15 minutes. 409 where an app is set up.`,
    tags: TAGS,
    policy: PERSON_POLICY,
    otherStatuses: {
      404: 'Your account was deleted a moment ago.',
      409: 'You have an authenticator app already.',
    },
    reply: NewTotp,
    status: 201,
    handle: async ({ principal }) => {
      await demandChangeProof(deps, principal);
      return deps.factors.offerTotp(principal.userId);
    },
  }),
  route({
    method: 'POST',
    path: '/auth/totp/confirm',
    summary: 'Show the first code of the authenticator app, so that it counts from now on.',
    description: `${PROOF} The session goes on under a new cookie, and counts as opened with a code too.`,
    tags: TAGS,
    policy: PERSON_POLICY,
    body: TotpConfirmBody,
    otherStatuses: { 409: 'No authenticator app waits for its first code.' },
    reply: z.undefined(),
    status: 204,
    handle: async (call) => {
      const { principal, request, body } = call;
      await demandChangeProof(deps, principal);
      await deps.throttle.shown(principal.userId, body);
      if (!(await deps.factors.addTotp(principal.userId, body.code, actorOf(principal, request))))
        throw forbidden(
          'The code is wrong. Check the clock of your device, and send the code that it shows now.',
        );
      await noteShown(deps, call, principal, 'totp');
      return undefined;
    },
  }),
  route({
    method: 'DELETE',
    path: '/auth/totp',
    summary: 'Remove the authenticator app.',
    description: `${PROOF} Recovery codes end with the last factor.`,
    tags: TAGS,
    policy: PERSON_POLICY,
    reply: z.undefined(),
    status: 204,
    mayBeAbsent: true,
    handle: async ({ principal, request }) => {
      await demandChangeProof(deps, principal);
      await deps.factors.removeTotp(principal.userId, actorOf(principal, request));
      return undefined;
    },
  }),
];

/** The person has just shown the new factor, so the session need not be opened again with it. */
async function noteShown(
  deps: FactorRoutesDeps,
  exchanged: Exchanged,
  principal: Principal,
  factor: FactorName,
): Promise<void> {
  const caller = callerOf(principal);
  if (caller !== null) await confirmSession(deps.session, exchanged, caller, [factor]);
}

const toPasskey = ({ id, label, isSynced, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({
  id,
  label,
  isSynced,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});
