import { type Actor, recordAudit } from '#capabilities/access/index.ts';
import { tokenHash } from '#capabilities/accounts/index.ts';
import type { Acting } from '#capabilities/organizations/index.ts';
import { judgeClaims } from '#domain/sso/index.ts';
import { putSettings, removeSettings, type WantedSettings } from './change-settings.ts';
import { settingsOf } from './client-secret.ts';
import { type Completed, completeSignIn } from './complete-sign-in.ts';
import type { Flow } from './flow-cookie.ts';
import { type TokenRow, takeToken, useState } from './identity-store.ts';
import type { SsoDeps } from './sso-deps.ts';
import { type ConnectionRow, findByDomain, selectConnection, selectLive } from './store.ts';

/** A sign-in takes at most this long at the provider (decisions 3.2). */
const FLOW_LIFE_MS = 10 * 60_000;

/** Why a sign-in failed: a reason for the audit trail, and the cause for the log. */
export class SsoFailure extends Error {}

/**
 * What the service does for single sign-on across accounts. Requests get these functions and never the connections behind them
 * (foundation rule 2).
 */
export type Sso = {
  readonly lookUp: (emailDomain: string) => Promise<{ readonly accountId: string } | undefined>;
  readonly read: (accountId: string) => Promise<ConnectionRow | undefined>;
  readonly put: (by: Acting, wanted: WantedSettings) => Promise<ConnectionRow>;
  readonly remove: (by: Acting) => Promise<void>;
  /** Null: there is no such organization, or it has no single sign-on. */
  readonly begin: (
    accountId: string,
    options: { readonly isFresh: boolean; readonly linkUserId: string | null },
  ) => Promise<{ readonly url: string; readonly flow: Flow } | null>;
  /** Throws `SsoFailure` for every doubt about the provider or the person. */
  readonly finish: (flow: Flow, query: string, actor: Actor) => Promise<Completed>;
  /** Undefined for a token that is unknown, used, too old or of another browser. */
  readonly takeToken: (token: string, browser: string) => Promise<TokenRow | undefined>;
};

export function openSso(deps: SsoDeps): Sso {
  const { system, clock, provider, secrets } = deps;
  return {
    lookUp: (emailDomain) => findByDomain(system.db, emailDomain),
    read: (accountId) => selectConnection(system.db, accountId),
    put: (by, wanted) => putSettings(deps, by, wanted),
    remove: (by) => removeSettings(deps, by),
    begin: async (accountId, { isFresh, linkUserId }) => {
      const connection = await selectLive(system.db, accountId);
      if (connection === undefined) return null;
      const { url, challenge } = await provider
        .begin(settingsOf(secrets, connection), { isFresh })
        .catch(failedWith('the provider cannot be reached'));
      const flow: Flow = {
        kind: 'flow',
        accountId,
        settingsAtMs: connection.updatedAt.getTime(),
        ...challenge,
        isFresh,
        linkUserId,
        expiresAtMs: clock.now() + FLOW_LIFE_MS,
      };
      return { url, flow };
    },
    finish: (flow, query, actor) => finish(deps, flow, query, actor),
    takeToken: (token, browser) => takeToken(system.db, tokenHash(token), tokenHash(browser), clock.now()),
  };
}

async function finish(deps: SsoDeps, flow: Flow, query: string, actor: Actor): Promise<Completed> {
  const { system, secrets, provider } = deps;
  // First of all, so that of several callbacks with one state only one reaches the provider.
  if (!(await useState(system.db, tokenHash(flow.state), flow.expiresAtMs)))
    throw new SsoFailure('the answer of the provider was used before');
  const connection = await selectLive(system.db, flow.accountId);
  if (connection?.updatedAt.getTime() !== flow.settingsAtMs)
    throw new SsoFailure('the settings were changed meanwhile');
  try {
    const answer = { query, challenge: flow, isFresh: flow.isFresh };
    const { issuer, claims } = await provider
      .finish(settingsOf(secrets, connection), answer)
      .catch(failedWith('the answer of the provider was refused'));
    const identity = judgeClaims(claims, { emailDomain: connection.emailDomain, issuer });
    if (typeof identity === 'string') throw new SsoFailure(identity);
    const { linkUserId } = flow;
    const completed = await completeSignIn(deps, { connection, issuer, identity, linkUserId, actor });
    if (typeof completed === 'string') throw new SsoFailure(completed);
    return completed;
  } catch (error) {
    if (error instanceof SsoFailure) await noteRefusal(deps, flow.accountId, error.message, actor);
    throw error;
  }
}

const failedWith =
  (reason: string) =>
  (cause: unknown): never => {
    throw new SsoFailure(reason, { cause });
  };

const noteRefusal = (
  { system, clock }: SsoDeps,
  accountId: string,
  reason: string,
  actor: Actor,
): Promise<void> =>
  recordAudit(system.db, {
    accountId,
    actor,
    action: 'sso.refuse',
    target: accountId,
    before: null,
    after: null,
    detail: { reason },
    nowMs: clock.now(),
  });
