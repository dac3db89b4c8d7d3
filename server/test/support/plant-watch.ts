import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { insertBrief } from '#capabilities/action-center/brief-store.ts';
import type { RiskBrief } from '#capabilities/action-center/contract-brief.ts';
import { type NewAlert, raiseAlerts } from '#capabilities/alerts/index.ts';
import { newId } from '#platform/ids.ts';
import { type Postgres, sql } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { post, type Where } from './tenant-calls.ts';

/** Ids of one case, alert, watched item, webhook and delivery. */
export type Planted = {
  readonly caseId: string;
  readonly alertId: string;
  readonly itemId: string;
  /** The value that the item watches. */
  readonly watched: string;
  readonly webhookId: string;
  readonly deliveryId: string;
};
/** Only others aim at `kept`, and none may change it; the tenant's own requests may change `spare`. */
export type PlantedWatch = { readonly kept: Planted; readonly spare: Planted };

type Planting = {
  readonly where: Where;
  readonly system: Postgres;
  readonly credential: string;
  readonly orgId: string;
  readonly marker: string;
};

const SAMPLE_BRIEF = join(import.meta.dirname, '../../src/app/sample-answers/getRiskBriefLatest.json');

const NO_MAIL = {
  letters: { canSendLetters: false, enqueueLetter: () => Promise.resolve() },
  publicWebUrl: '',
};

/**
 * Cases with evidence, watched items, alerts, webhooks with deliveries and a risk brief, all with the tenant's marker.
 * Alerts and the brief are written as a worker does, which the shared service has not; no worker sends the deliveries.
 */
export async function plantWatch(planting: Planting): Promise<PlantedWatch> {
  const { marker } = planting;
  const planted = {
    kept: await plantOne(planting, marker),
    spare: await plantOne(planting, `${marker}spare`),
  };
  await plantBrief(planting);
  return planted;
}

async function plantOne(planting: Planting, name: string): Promise<Planted> {
  const { where, credential, marker } = planting;
  const make = async <T>(path: string, body: object) => (await post(where, credential, path, body)) as T;
  const opened = { title: name, description: marker, priority: 'CRITICAL' };
  const { id: caseId } = await make<{ id: string }>('/cases', opened);
  await make(`/cases/${caseId}/evidence`, { kind: 'note', title: name, payload: { marker } });
  // Without the marker, because a caller that asks for the value reads it back in the answer.
  const watched = `watched-${randomBytes(8).toString('hex')}.com`;
  const { id: itemId } = await make<{ id: string }>('/monitoring', { value: watched, label: name });
  const listening = { url: `https://8.8.8.8/${marker}`, description: name, events: ['*'] };
  const { webhook } = await make<{ webhook: { id: string } }>('/user/webhooks', listening);
  // The host that it leads to would have to answer a challenge.
  await sql`update webhook_endpoint set verified_at = created_at where id = ${webhook.id}`.execute(
    planting.system.db,
  );
  const { delivery } = await make<{ delivery: { id: string } }>(`/user/webhooks/${webhook.id}/test`, {});
  const alertId = await plantAlert(planting, { itemId, watched });
  return { caseId, alertId, itemId, watched, webhookId: webhook.id, deliveryId: delivery.id };
}

async function plantAlert(
  { system, orgId, marker }: Planting,
  { itemId, watched }: { readonly itemId: string; readonly watched: string },
): Promise<string> {
  const alert: NewAlert = {
    accountId: orgId,
    type: 'reputation.malicious',
    severity: 'critical',
    entity: { type: 'domain', value: watched },
    detail: 'worse',
    title: `${watched}: Malicious`,
    description: marker,
    reason: marker,
    source: 'monitoring',
    confidence: 90,
    data: { marker },
    monitorId: itemId,
    notify: false,
  };
  const [raised] = await system.transaction((tx) => raiseAlerts(tx, NO_MAIL, [alert], Date.now()));
  return raised?.alert.id ?? '';
}

async function plantBrief({ system, orgId, marker }: Planting): Promise<void> {
  const { data } = JSON.parse(readFileSync(SAMPLE_BRIEF, 'utf8')) as { data: RiskBrief };
  const nowMs = Date.now();
  const brief = { ...data, id: newId('brf', nowMs), organizationId: orgId, headline: marker };
  await system.transaction((tx) => insertBrief(tx, orgId, nowMs - DAY_MS, brief, nowMs));
}
