import { briefDeps } from '../../server/src/app/action-center-deps.ts';
import type { OpenedJudge } from '../../server/src/app/open-judge.ts';
import { writeBriefs } from '../../server/src/capabilities/action-center/index.ts';
import { decideAlert, listAlerts } from '../../server/src/capabilities/alerts/index.ts';
import {
  addItem,
  createJudge,
  keepWatched,
  type MonitoringWorkerDeps,
  monitoringWorkerPart,
} from '../../server/src/capabilities/monitoring/index.ts';
import { missing } from '../../server/src/capabilities/providers/index.ts';
import { newId } from '../../server/src/platform/ids.ts';
import { HOUR_MS } from '../../server/src/platform/time-units.ts';
import { WATCHED } from '../sample/organization.ts';
import { alertMail, handleEvents } from './handle-events.ts';
import { type Account, LIMITS } from './seed-account.ts';
import { clockAt, type Seeding } from './seeding.ts';

type By = Account['by'];

const WATCHED_AGO_MS = 26 * HOUR_MS;
const OFF = {
  name: 'off',
  isOn: false,
  cached: async () => missing('off'),
  ask: async () => missing('off'),
  warm: () => undefined,
} as const;
/** Live lookups are off while the sample is loaded, so nobody is asked about the watched values. */
const NO_LOOKUPS: MonitoringWorkerDeps['providers'] = { addresses: OFF, rdap: OFF, tls: OFF, ct: OFF };

/** Watches the values of the sample since yesterday. */
export async function watchValues({ postgres, todayMs }: Seeding, by: By, judge: OpenedJudge): Promise<void> {
  const deps = {
    postgres,
    clock: clockAt(todayMs - WATCHED_AGO_MS),
    judge: createJudge(judge),
    own: { find: () => null },
    lookups: { providers: NO_LOOKUPS, book: judge.enrichment.book },
    limitOf: () => LIMITS.watchItems,
  };
  for (const { value, label } of WATCHED) await addItem(deps, by, { value, label, notify: true });
}

/** Raises the alerts about what changed: lists, claims of ransomware groups, and what the organization reported. */
export async function raiseAlerts(seeding: Seeding, by: By, judge: OpenedJudge): Promise<void> {
  const { system, postgres, signal } = seeding;
  const { clock } = judge;
  const mail = alertMail(seeding, clock);
  const checking = { ...judge, judge: createJudge(judge) };
  await keepWatched(
    { checking, mail },
    { run: newId('run', clock.now()), transaction: system.transaction, signal },
  );
  const { readers } = monitoringWorkerPart({ clock, mail, judge: () => judge, providers: NO_LOOKUPS });
  await handleEvents(seeding, readers);
  await decideSome({ postgres, clock }, by);
  await writeBriefs(briefDeps(clock), { transaction: system.transaction, signal });
}

/** Work on the oldest alert has begun and a lesser one is resolved, so that not all of them are new. */
async function decideSome(deps: Parameters<typeof decideAlert>[0], by: By): Promise<void> {
  const { alerts } = await listAlerts(deps, by.principal, { limit: 50, offset: 0 });
  const oldest = alerts.at(-1);
  const lesser = alerts.find(({ severity }) => severity === 'medium');
  if (oldest !== undefined) await decideAlert(deps, by, oldest.id, 'ACKNOWLEDGED');
  if (lesser !== undefined) await decideAlert(deps, by, lesser.id, 'RESOLVED');
}
