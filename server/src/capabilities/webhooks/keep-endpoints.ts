import { recordAudit } from '#capabilities/access/index.ts';
import { duration } from '#domain/text/duration.ts';
import { plural } from '#domain/text/plural.ts';
import { badRequest, forbidden, notFound, unavailable } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import { newId } from '#platform/ids.ts';
import { isUnresolvedForNow, OutboundError } from '#platform/outbound.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { allowanceOf, lockRoom } from './allowance.ts';
import type { ChangeBody, CreateBody, Webhook } from './contract.ts';
import { deleteSomeOf, skipSome } from './delivery-store.ts';
import { switchOff } from './end-endpoint.ts';
import { presentWebhook } from './present.ts';
import { newSecret, sealSecret } from './sign-delivery.ts';
import {
  countEndpoints,
  deleteEndpoint,
  type EndpointRow,
  enableEndpoint,
  insertEndpoint,
  lockEndpoint,
  lockEndpointsOf,
  replaceSecret,
  selectEndpoint,
  selectEndpoints,
  updateEndpoint,
} from './store.ts';
import { askForVerification, hostOf, isHostKnown, spendVerification } from './verification.ts';
import { hasVerifiedHost } from './verification-store.ts';
import { type Acting, WEBHOOK_PORTS, type WebhooksDeps } from './webhooks-deps.ts';

const ENDPOINTS_MAX = 1_000;
const CHECK_MS = 5_000;
const RESOLVE_RETRY_S = 60;
const OLDER_VALID_MS = DAY_MS;
const ROWS_AT_ONCE = 5_000;
/** Checked before the database is asked, because it refuses a text with U+0000. */
export const isWebhookId = (id: string): boolean => /^whk_[0-9A-Z]+$/.test(id);

export const listWebhooks = (
  { postgres }: WebhooksDeps,
  { accountId }: Principal,
): Promise<{ readonly webhooks: Webhook[] }> =>
  postgres.withAccount(accountId, async (tx) => ({
    webhooks: (await selectEndpoints(tx, accountId, ENDPOINTS_MAX)).map(presentWebhook),
  }));

export const readWebhook = (
  { postgres }: WebhooksDeps,
  { accountId }: Principal,
  id: string,
): Promise<{ readonly webhook: Webhook }> =>
  postgres.withAccount(accountId, async (tx) => ({
    webhook: presentWebhook(await endpointOf(tx, accountId, id)),
  }));

/** Part of a transaction: the endpoint of the caller, or 404. */
export async function endpointOf(tx: Db, accountId: string, id: string): Promise<EndpointRow> {
  const row = isWebhookId(id) ? await selectEndpoint(tx, accountId, id) : undefined;
  if (row === undefined) throw notFound('Webhook', id);
  return row;
}

/** The endpoint of the caller, or 404, locked until the transaction ends. */
export async function lockedEndpointOf(tx: Db, accountId: string, id: string): Promise<EndpointRow> {
  const row = isWebhookId(id) ? await lockEndpoint(tx, accountId, id) : undefined;
  if (row === undefined) throw notFound('Webhook', id);
  return row;
}

async function assertPublic({ checkUrl }: WebhooksDeps, url: string): Promise<void> {
  try {
    await checkUrl(url, { ports: WEBHOOK_PORTS, deadlineMs: CHECK_MS });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (isUnresolvedForNow(error))
      throw unavailable(
        `The host of the URL could not be resolved now, so it could not be checked. Nothing was stored. Try again in ${duration(RESOLVE_RETRY_S * 1_000)}.`,
        RESOLVE_RETRY_S,
        error,
      );
    throw badRequest(`url: ${error.message}`, [{ path: 'url', message: error.message }]);
  }
}

export async function createWebhook(
  deps: WebhooksDeps,
  by: Acting,
  body: CreateBody,
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  const { postgres, clock, secrets } = deps;
  const { accountId } = by.principal;
  await assertPublic(deps, body.url);
  if (!(await isHostKnown(deps, accountId, body.url))) await spendVerification(deps, accountId);
  const nowMs = clock.now();
  const secret = newSecret();
  const host = hostOf(body.url);
  return postgres.withAccount(accountId, async (tx) => {
    await lockEndpointsOf(tx, accountId);
    const limit = await allowanceOf(tx, accountId);
    const count = await countEndpoints(tx, accountId);
    if (count >= limit)
      throw forbidden(
        `This account has ${plural(count, 'webhook')}; its plan has ${limit}. Delete one, or take a larger plan.`,
      );
    const id = newId('whk', nowMs);
    const { url, events, enabled, description = null } = body;
    const isKnown = await hasVerifiedHost(tx, accountId, host);
    const sealed = sealSecret(secrets, id, secret);
    const row = { id, accountId, url, host, description, events, enabled, secret: sealed };
    await insertEndpoint(tx, { ...row, verifiedAtMs: isKnown ? nowMs : null }, nowMs);
    if (!isKnown) await askForVerification(tx, { id, accountId }, nowMs);
    await note(tx, by, 'webhook.create', id, null, auditOf({ url, events, enabled }), nowMs);
    return { webhook: presentWebhook(await endpointOf(tx, accountId, id)), secret };
  });
}

export async function changeWebhook(
  deps: WebhooksDeps,
  by: Acting,
  id: string,
  body: ChangeBody,
): Promise<{ readonly webhook: Webhook }> {
  const { accountId } = by.principal;
  if (body.url !== undefined) {
    await assertPublic(deps, body.url);
    if (!(await isHostKnown(deps, accountId, body.url))) await spendVerification(deps, accountId);
  }
  const nowMs = deps.clock.now();
  return deps.postgres.withAccount(accountId, async (tx) => {
    const room = body.enabled === true ? await lockRoom(tx, accountId) : null;
    const row = await lockedEndpointOf(tx, accountId, id);
    if (room !== null && !row.enabled && room.enabled >= room.allowed)
      throw forbidden(
        `This account has ${plural(room.enabled, 'enabled webhook')}; its plan has ${room.allowed}. Disable another, or take a larger plan.`,
      );
    const url = body.url ?? row.url;
    const needsConsent = url !== row.url && !(await staysVerified(tx, row, url));
    await updateEndpoint(
      tx,
      {
        id,
        url,
        host: hostOf(url),
        description: body.description === undefined ? row.description : body.description,
        events: body.events ?? row.events,
      },
      nowMs,
    );
    if (body.enabled === true) await enableEndpoint(tx, id, nowMs);
    if (body.enabled === false) await switchOff(tx, id, 'paused', nowMs);
    if (needsConsent) {
      while ((await skipSome(tx, id, ROWS_AT_ONCE)) === ROWS_AT_ONCE);
      await askForVerification(tx, row, nowMs);
    }
    const changed = await endpointOf(tx, accountId, id);
    await note(tx, by, 'webhook.change', id, auditOf(row), auditOf(changed), nowMs);
    return { webhook: presentWebhook(changed) };
  });
}

/** Read before the URL is changed: the same host, or one that another webhook of the account has verified. */
const staysVerified = async (tx: Db, row: EndpointRow, url: string): Promise<boolean> =>
  (row.verified && hostOf(row.url) === hostOf(url)) ||
  (await hasVerifiedHost(tx, row.accountId, hostOf(url)));

export async function removeWebhook(
  { postgres, clock }: WebhooksDeps,
  by: Acting,
  id: string,
): Promise<void> {
  const { accountId } = by.principal;
  await postgres.withAccount(accountId, async (tx) => {
    const row = await lockedEndpointOf(tx, accountId, id);
    while ((await deleteSomeOf(tx, id, ROWS_AT_ONCE)) === ROWS_AT_ONCE);
    await deleteEndpoint(tx, id);
    await note(tx, by, 'webhook.delete', id, auditOf(row), null, clock.now());
  });
}

export async function rotateSecret(
  { postgres, clock, secrets }: WebhooksDeps,
  by: Acting,
  id: string,
): Promise<{ readonly webhook: Webhook; readonly secret: string; readonly previousValidUntil: string }> {
  const { accountId } = by.principal;
  const nowMs = clock.now();
  const olderUntilMs = nowMs + OLDER_VALID_MS;
  const secret = newSecret();
  return postgres.withAccount(accountId, async (tx) => {
    await lockedEndpointOf(tx, accountId, id);
    await replaceSecret(tx, { id, secret: sealSecret(secrets, id, secret), olderUntilMs, nowMs });
    await note(tx, by, 'webhook.rotate-secret', id, null, null, nowMs);
    return {
      webhook: presentWebhook(await endpointOf(tx, accountId, id)),
      secret,
      previousValidUntil: new Date(olderUntilMs).toISOString(),
    };
  });
}

/** The path of a webhook is often a secret, so the audit trail names the host. */
const auditOf = ({ url, events, enabled }: Pick<EndpointRow, 'url' | 'events' | 'enabled'>) => ({
  host: new URL(url).host,
  events,
  enabled,
});

export const note = (
  tx: Db,
  { principal, actor }: Acting,
  action: string,
  target: string,
  before: unknown,
  after: unknown,
  nowMs: number,
): Promise<void> =>
  recordAudit(tx, { accountId: principal.accountId, actor, action, target, before, after, nowMs });
