import { recordAudit } from '#capabilities/access/index.ts';
import { newToken } from '#capabilities/accounts/index.ts';
import { type Acting, lockAs, note } from '#capabilities/organizations/index.ts';
import { MANAGERS } from '#domain/organizations/index.ts';
import { proofRecord } from '#domain/sso/index.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Db } from '#platform/postgres.ts';
import { sealSecret, settingsOf } from './client-secret.ts';
import { findProof } from './prove-domain.ts';
import { type ProviderSettings, wordsOf } from './provider.ts';
import type { SsoDeps } from './sso-deps.ts';
import {
  type ConnectionChange,
  type ConnectionRow,
  deleteConnection,
  deleteOwnSessions,
  deleteProviderSessions,
  findHolder,
  hasBreakGlassOwner,
  lockDomain,
  putConnection,
  selectConnection,
} from './store.ts';

export type WantedSettings = {
  readonly emailDomain: string;
  readonly issuerUrl: string;
  readonly clientId: string;
  /** Undefined keeps the stored secret if issuer and client stay the same; null removes it. */
  readonly clientSecret?: string | null | undefined;
  readonly enforceSso: boolean;
  readonly enabled: boolean;
};

/** Queries DNS and the provider before the transaction, which then checks that the stored settings are unchanged. */
export async function putSettings(deps: SsoDeps, by: Acting, wanted: WantedSettings): Promise<ConnectionRow> {
  const { system, clock } = deps;
  const before = await selectConnection(system.db, by.accountId);
  const isSameClient = before?.issuerUrl === wanted.issuerUrl && before.clientId === wanted.clientId;
  await refuseHeld(system.db, by.accountId, wanted.emailDomain);
  const change = await judgeChange(deps, by.accountId, wanted, before, isSameClient);
  const nowMs = clock.now();
  return system.transaction(async (tx) => {
    await lockAs(tx, by, MANAGERS);
    await lockDomain(tx, change.emailDomain);
    const current = await selectConnection(tx, by.accountId);
    if (current?.updatedAt.getTime() !== before?.updatedAt.getTime())
      throw new ServiceError('Conflict', 'The settings were changed meanwhile. Read them and try again.');
    await refuseHeld(tx, by.accountId, change.emailDomain);
    if (change.enforceSso && before?.enforceSso !== true) await refuseLockout(tx, by.accountId);
    const kept = await putConnection(tx, by.accountId, change, nowMs);
    if (kept === undefined) throw new Error('The connection that was just written is missing.');
    const ended = await endSessions(tx, by, before, kept, isSameClient);
    await noteSettings(tx, by, before, kept, nowMs);
    await noteEnded(tx, by, ended, nowMs);
    return kept;
  });
}

async function judgeChange(
  deps: SsoDeps,
  accountId: string,
  wanted: WantedSettings,
  before: ConnectionRow | undefined,
  isSameClient: boolean,
): Promise<ConnectionChange> {
  const { secrets, clock } = deps;
  // A stored secret is never sent to another issuer: an administrator could read it there.
  const kept = isSameClient && before !== undefined ? settingsOf(secrets, before).clientSecret : null;
  const clientSecret = wanted.clientSecret === undefined ? kept : wanted.clientSecret;
  const { issuerUrl, clientId, emailDomain, enabled, enforceSso } = wanted;
  if (!isSameClient || (enabled && before?.enabled !== true))
    await confirmProvider(deps, { issuerUrl, clientId, clientSecret });
  const isSameDomain = before?.emailDomain === emailDomain;
  const proofToken = isSameDomain ? before.proofToken : newToken();
  const provenAtMs = isSameDomain ? await proofOf(deps, before) : null;
  if (enabled && provenAtMs === null) throw unproven(emailDomain, isSameDomain ? proofToken : null);
  const succeededAtMs =
    isSameClient && isSameDomain && before !== undefined ? (before.succeededAt?.getTime() ?? null) : null;
  if (enforceSso && (succeededAtMs === null || !enabled))
    throw new ServiceError(
      'Conflict',
      'Single sign-on is enforced after one sign-in with these settings. Enable it, sign in with it in a private window, and enforce it then.',
    );
  return {
    emailDomain,
    issuerUrl,
    clientId,
    sealedSecret: clientSecret === null ? null : sealSecret(secrets, accountId, clientSecret),
    enforceSso,
    enabled,
    proofToken,
    provenAtMs: provenAtMs === null ? null : Math.min(provenAtMs, clock.now()),
    succeededAtMs,
  };
}

async function confirmProvider({ provider }: SsoDeps, settings: ProviderSettings): Promise<void> {
  try {
    await provider.confirm(settings);
  } catch (error) {
    const message =
      'The discovery document of this issuer cannot be read. It must be at /.well-known/openid-configuration below the URL, over https at a public address, and name exactly this issuer.';
    throw new ServiceError('Bad Request', `issuerUrl: ${message}`, {
      cause: new Error(wordsOf(error)),
      details: [{ path: 'issuerUrl', message }],
    });
  }
}

/** When the domain was proven: at an earlier time, now by its DNS record, or not at all (null). */
async function proofOf({ dns, clock }: SsoDeps, row: ConnectionRow): Promise<number | null> {
  if (row.provenAt !== null) return row.provenAt.getTime();
  return (await findProof(dns, row.emailDomain, row.proofToken)) === 'shown' ? clock.now() : null;
}

/** Refuses a domain that another organization has proven. An unproven claim blocks no other organization (O45). */
async function refuseHeld(db: Db, accountId: string, emailDomain: string): Promise<void> {
  const holder = await findHolder(db, emailDomain);
  if (holder !== undefined && holder !== accountId)
    throw new ServiceError(
      'Conflict',
      'Another organization has proven that this domain is its own. Ask the operator of this service if it is yours.',
    );
}

async function refuseLockout(tx: Db, accountId: string): Promise<void> {
  if (await hasBreakGlassOwner(tx, accountId)) return;
  throw new ServiceError(
    'Conflict',
    'No owner could sign in while the identity provider is away. One owner needs a passkey, or a password and an authenticator app.',
  );
}

const unproven = (emailDomain: string, token: string | null): ServiceError => {
  const proof = token === null ? null : proofRecord(emailDomain, token);
  return new ServiceError(
    'Conflict',
    proof === null
      ? 'The domain is not proven yet. Save the settings with enabled false, publish the TXT record of the answer, and enable them then.'
      : `The domain is not proven yet. Publish the TXT record ${proof.name} with the text ${proof.value} and try again; new records take some minutes.`,
    proof === null ? {} : { body: { domainProof: proof } },
  );
};

/** Ends sessions that the provider no longer vouches for, and own sign-ins once single sign-on is enforced. */
async function endSessions(
  tx: Db,
  by: Acting,
  before: ConnectionRow | undefined,
  kept: ConnectionRow,
  isSameClient: boolean,
): Promise<readonly string[]> {
  const isEnding = before?.enabled === true && (!kept.enabled || !isSameClient);
  const isStarting = kept.enforceSso && before?.enforceSso !== true;
  return [
    ...(isEnding ? await deleteProviderSessions(tx, by.accountId, by.actor.id) : []),
    ...(isStarting ? await deleteOwnSessions(tx, by.accountId, kept.emailDomain) : []),
  ];
}

export async function removeSettings({ system, clock }: SsoDeps, by: Acting): Promise<void> {
  const nowMs = clock.now();
  await system.transaction(async (tx) => {
    await lockAs(tx, by, MANAGERS);
    const before = await selectConnection(tx, by.accountId);
    if (before === undefined) return;
    await deleteConnection(tx, by.accountId);
    const ended = await deleteProviderSessions(tx, by.accountId, by.actor.id);
    await noteSettings(tx, by, before, null, nowMs);
    await noteEnded(tx, by, ended, nowMs);
  });
}

const noteSettings = (
  tx: Db,
  by: Acting,
  before: ConnectionRow | undefined,
  after: ConnectionRow | null,
  nowMs: number,
): Promise<void> => {
  const shown = after ?? before;
  const detail: Record<string, string> =
    shown === undefined
      ? {}
      : {
          domain: shown.emailDomain,
          issuer: shown.issuerUrl.slice(0, 400),
          enabled: String(shown.enabled),
          enforced: String(shown.enforceSso),
        };
  const states = { before: stateOf(before ?? null), after: stateOf(after) };
  return note(tx, by, after === null ? 'sso.remove' : 'sso.put', by.accountId, states, nowMs, detail);
};

const stateOf = (row: ConnectionRow | null) =>
  row === null
    ? null
    : {
        emailDomain: row.emailDomain,
        issuerUrl: row.issuerUrl,
        clientId: row.clientId,
        hasClientSecret: row.sealedSecret !== null,
        enabled: row.enabled,
        enforceSso: row.enforceSso,
      };

async function noteEnded(tx: Db, by: Acting, ended: readonly string[], nowMs: number): Promise<void> {
  for (const id of ended)
    await recordAudit(tx, {
      accountId: by.accountId,
      actor: by.actor,
      action: 'session.end',
      target: id,
      before: { id },
      after: null,
      nowMs,
    });
}
