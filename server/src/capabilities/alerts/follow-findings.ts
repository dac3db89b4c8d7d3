import { z } from 'zod';
import {
  FindingCreated,
  type FindingState,
  FindingsSummary,
  FindingUpdated,
  findingStates,
} from '#capabilities/cve-watch/index.ts';
import { SEVERITIES, severityOfPriority, statusOfFinding } from '#domain/alerts/index.ts';
import { describePossible, alerts as isTold, PRIORITY_NAMES } from '#domain/cve-watch/index.ts';
import { plural } from '#domain/text/plural.ts';
import type { Clock } from '#platform/clock.ts';
import { emitAll, type ReaderSpec, type StreamEvent } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import { sha256Of } from '#platform/sha256.ts';
import { AlertCreated, AlertResolved, AlertUpdated } from './events.ts';
import { type AlertMail, tellOwners } from './mail-alerts.ts';
import { presentAlert } from './present-alert.ts';
import { raiseAlerts } from './raise-alerts.ts';
import {
  type AlertRow,
  insertFindingAlerts,
  moveAlerts,
  type StoredAlert,
  selectEndedFindings,
  selectFindingAlerts,
} from './store.ts';

export type FindingDeps = { readonly clock: Clock; readonly mail: AlertMail };

const ToldId = z.object({ id: z.string() });

/**
 * Keeps one alert for each finding that is worth one. The alert follows the current state of the finding and not the
 * event, so that an event that is read late undoes no later decision.
 */
export const findingReader = (deps: FindingDeps): ReaderSpec => ({
  name: 'alerts.findings',
  types: [FindingCreated.name, FindingUpdated.name, FindingsSummary.name],
  handle: async (tx, events) => {
    const ids = new Set<string>();
    for (const event of events) {
      if (event.type === FindingsSummary.name) await raiseSummary(tx, deps, event);
      else ids.add(ToldId.parse(event.payload).id);
    }
    if (ids.size > 0) await followFindings(tx, deps, [...ids]);
  },
});

export async function followFindings(tx: Db, deps: FindingDeps, ids: readonly string[]): Promise<void> {
  const states = new Map((await findingStates(tx, ids)).map((state) => [state.id, state]));
  const known = await selectFindingAlerts(tx, ids);
  const nowMs = deps.clock.now();
  const moves = known.flatMap((row) => moveOf(row, states.get(row.findingId ?? '')));
  const before = new Map(known.map((row) => [row.id, row.status]));
  const moved = moves.length === 0 ? [] : await moveAlerts(tx, moves, nowMs);
  const has = new Set(known.map(({ findingId }) => findingId));
  const missing = [...states.values()].filter((state) => !has.has(state.id) && isWorthAlert(state));
  const added =
    missing.length === 0
      ? []
      : await insertFindingAlerts(
          tx,
          missing.map((state) => storedOf(state, nowMs)),
          nowMs,
        );
  const occurredAt = new Date(nowMs);
  await emitAll(tx, [
    ...moved.map((row) => {
      const isResolved = row.status === 'RESOLVED' && before.get(row.id) !== 'RESOLVED';
      const type = isResolved ? AlertResolved : AlertUpdated;
      return { type, accountId: row.accountId, payload: presentAlert(row), occurredAt };
    }),
    ...added.map((row) => ({
      type: AlertCreated,
      accountId: row.accountId,
      payload: presentAlert(row),
      occurredAt,
    })),
  ]);
  await tellOwners(
    tx,
    deps.mail,
    added.map((row) => ({ accountId: row.accountId, alert: presentAlert(row) })),
  );
}

/** Whether a finding without an alert gets one: when it is open, and confirmed or a possible one of priority 1. */
const isWorthAlert = ({ status, isConfirmed, priority }: FindingState): boolean =>
  status === 'OPEN' && isTold(isConfirmed ? 'confirmed' : 'possible', priority);

function moveOf(row: AlertRow, finding: FindingState | undefined) {
  const status = finding === undefined ? 'RESOLVED' : statusOfFinding(finding.status);
  const priority = finding?.priority ?? null;
  const severity =
    finding === undefined ? null : SEVERITIES.indexOf(severityOfPriority(PRIORITY_NAMES[finding.priority]));
  // The numbers of a possible finding are in its title.
  const title = finding === undefined || finding.isConfirmed ? null : titleOf(finding);
  const isSame = row.status === status && (priority === null || row.priority === priority);
  if (isSame && (title === null || row.title === title)) return [];
  return [{ id: row.id, status, severity, priority, title }];
}

const TITLE_MAX = 300;

function titleOf(finding: FindingState): string {
  const { isConfirmed, cveId, product, version } = finding;
  const title = isConfirmed
    ? `${cveId} concerns ${product}${version === null ? '' : ` ${version}`}`
    : describePossible(finding);
  return title.slice(0, TITLE_MAX);
}

const descriptionOf = ({ isConfirmed, cveId, cveCount, fixedVersion }: FindingState): string =>
  isConfirmed
    ? `A component that you watch is affected by ${cveId}${fixedVersion === null ? '.' : `; version ${fixedVersion} has the correction.`}`
    : `${plural(cveCount, 'CVE')} may concern a component that you watch. Its finding lists the most urgent ones; ${cveId} is the first.`;

function reasonOf({ isKev, exploitation, priority, isConfirmed }: FindingState): string {
  const why = isKev
    ? 'it is in the catalogue of exploited vulnerabilities'
    : exploitation === 2
      ? 'exploitation is reported'
      : priority === 2
        ? 'its EPSS is .10 or more, or its severity is critical'
        : 'a watched component is affected';
  const doubt = isConfirmed ? '' : ' Versions cannot be compared, so the finding is possible only.';
  return `${PRIORITY_NAMES[priority]}: ${why}.${doubt}`;
}

const CONFIRMED = 90;
const POSSIBLE = 50;
const FINGERPRINT_HEX = 32;

const storedOf = (state: FindingState, nowMs: number): StoredAlert => ({
  id: newId('alrt', nowMs),
  accountId: state.accountId,
  type: 'cve.finding',
  severity: SEVERITIES.indexOf(severityOfPriority(PRIORITY_NAMES[state.priority])),
  status: statusOfFinding(state.status),
  entityType: state.isConfirmed ? 'cve' : 'product',
  entityValue: state.isConfirmed ? state.cveId : `${state.vendor} ${state.product}`.trim(),
  fingerprint: sha256Of(`finding ${state.id}`).slice(0, FINGERPRINT_HEX),
  title: titleOf(state),
  description: descriptionOf(state),
  reason: reasonOf(state),
  source: 'cve-watch',
  confidence: state.isConfirmed ? CONFIRMED : POSSIBLE,
  data: {
    perimeterId: state.perimeterId,
    product: state.product,
    version: state.version,
    fixedVersion: state.fixedVersion,
    isKev: state.isKev,
    ...(!state.isConfirmed && { cveCount: state.cveCount, knownExploitedCount: state.kevCount }),
  },
  monitorId: null,
  findingId: state.id,
  cveId: state.isConfirmed ? state.cveId : null,
  priority: state.priority,
});

async function raiseSummary(tx: Db, { clock, mail }: FindingDeps, event: StreamEvent): Promise<void> {
  const { accountId, id } = event;
  if (accountId === null) return;
  const { perimeterId, findings, byPriority, gaps, gapCount } = FindingsSummary.schema.parse(event.payload);
  // Events of releases that told a scan without findings may still wait here.
  if (findings === 0) return;
  const worst = (['P1', 'P2', 'P3'] as const).find((priority) => byPriority[priority] > 0) ?? 'P3';
  await raiseAlerts(
    tx,
    mail,
    [
      {
        accountId,
        type: 'cve.finding',
        severity: severityOfPriority(worst),
        entity: { type: 'perimeter', value: perimeterId ?? 'all perimeters' },
        detail: perimeterId === null ? `summary ${id}` : 'summary',
        title: `${plural(findings, 'finding')} at once${gapCount === 0 ? '' : `; not everything was checked (${plural(gapCount, 'gap')})`}`,
        description: `${notChecked(gaps, gapCount)}The findings come in one alert because they are those of the first scan of a perimeter, or too many for one alert each.`,
        reason: `${byPriority.P1} of P1, ${byPriority.P2} of P2 and ${byPriority.P3} of P3.`,
        source: 'cve-watch',
        confidence: CONFIRMED,
        data: { summary: true, findings, byPriority, perimeterId, gaps, gapCount },
        notify: true,
      },
    ],
    clock.now(),
  );
}

/** What a scan did not check, before what it found. */
const notChecked = (gaps: readonly string[], gapCount: number): string =>
  gapCount === 0
    ? ''
    : `Not checked: ${gaps.join(' ')}${gapCount > gaps.length ? ` ${plural(gapCount - gaps.length, 'more gap')}.` : ''} `.slice(
        0,
        GAPS_CHARS_MAX,
      );

const GAPS_CHARS_MAX = 1_700;
const ENDED_AT_ONCE = 1_000;

/** Alerts of findings that ended, or were deleted with their component, are resolved. Returns how many. */
export async function resolveEnded(tx: Db, { clock }: Pick<FindingDeps, 'clock'>): Promise<number> {
  const ids = await selectEndedFindings(tx, ENDED_AT_ONCE);
  if (ids.length === 0) return 0;
  const nowMs = clock.now();
  const moved = await moveAlerts(
    tx,
    ids.map((id) => ({ id, status: 'RESOLVED' as const, severity: null, priority: null, title: null })),
    nowMs,
  );
  await emitAll(
    tx,
    moved.map((row) => ({
      type: AlertResolved,
      accountId: row.accountId,
      payload: presentAlert(row),
      occurredAt: new Date(nowMs),
    })),
  );
  return ids.length;
}
