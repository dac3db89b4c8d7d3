import { actionCenterDeps } from '../../server/src/app/action-center-deps.ts';
import { alertsWorkerPart } from '../../server/src/capabilities/alerts/index.ts';
import { addEvidence, changeCase, createCase } from '../../server/src/capabilities/cases/index.ts';
import {
  createFileReader,
  createPerimeter,
  importComponents,
  matchChanges,
  scanComponents,
} from '../../server/src/capabilities/cve-watch/index.ts';
import { SubmitBody, submitIndicators } from '../../server/src/capabilities/org-indicators/index.ts';
import type { Clock } from '../../server/src/platform/clock.ts';
import { HOUR_MS } from '../../server/src/platform/time-units.ts';
import { casesWith, OWN_INDICATORS, type SampleCase } from '../sample/organization.ts';
import { newestVulnerability, renderInventory } from '../sample/vulnerabilities.ts';
import { alertMail, handleEvents } from './handle-events.ts';
import { type Account, LIMITS } from './seed-account.ts';
import { SCANNED_AGO_MS } from './seed-vulnerabilities.ts';
import { clockAt, type Seeding } from './seeding.ts';

type By = Account['by'];

/** Creates an inventory from a bill of materials and scans it. One alert tells of all findings of that day. */
export async function seedInventory(seeding: Seeding, by: By): Promise<void> {
  const { postgres, system, todayMs, signal } = seeding;
  const clock = clockAt(todayMs - SCANNED_AGO_MS);
  const deps = {
    clock,
    postgres,
    limitsOf: () => ({ perimeters: LIMITS.watchPerimeters, components: LIMITS.watchComponents }),
    readFile: createFileReader(),
  };
  const { id } = await createPerimeter(deps, by, { name: 'Web shop (invented)', kind: 'dependencies' });
  const file = { name: 'web-shop.cdx.json', content: renderInventory(), includeDev: false };
  await importComponents(deps, by, id, file);
  await scanComponents(clock, { transaction: system.transaction, signal }, id, null);
  await tellFindings(seeding, clock);
}

/** Matches the inventory with the vulnerabilities that were published since. Each new finding has an alert. */
export async function seedFindings(seeding: Seeding): Promise<void> {
  const { system, signal, todayMs } = seeding;
  const clock = clockAt(todayMs - HOUR_MS);
  await matchChanges(clock, { transaction: system.transaction, signal });
  await tellFindings(seeding, clock);
}

const tellFindings = (seeding: Seeding, clock: Clock): Promise<void> =>
  handleEvents(seeding, alertsWorkerPart({ clock, mail: alertMail(seeding, clock) }).readers);

const REPORTED_AGO_MS = 7 * HOUR_MS;

/** Reports what the organization blocks and allows. */
export async function seedIndicators({ postgres, todayMs }: Seeding, { principal }: By): Promise<void> {
  const deps = {
    postgres,
    clock: clockAt(todayMs - REPORTED_AGO_MS),
    dailyLimitOf: () => LIMITS.orgIndicatorsPerDay,
    warn: () => [],
  };
  const { indicators } = SubmitBody.parse({ indicators: OWN_INDICATORS });
  await submitIndicators(deps, principal, indicators);
}

/** Opens the cases, each some hours or days ago, adds their evidence and moves them to their status. */
export async function seedCases(seeding: Seeding, by: By): Promise<void> {
  for (const each of casesWith(newestVulnerability(seeding.todayMs))) await seedCase(seeding, by, each);
}

async function seedCase({ postgres, log, todayMs }: Seeding, by: By, sample: SampleCase): Promise<void> {
  const { ageHours, evidence, status, ...body } = sample;
  const stepMs = (ageHours * HOUR_MS) / (evidence.length + 2);
  const depsAt = (step: number) =>
    actionCenterDeps({ postgres, log, clock: clockAt(todayMs - ageHours * HOUR_MS + step * stepMs) }, () => ({
      cases: LIMITS.cases,
      evidenceBytes: LIMITS.caseEvidenceBytes,
    })).cases;
  const { shown } = await createCase(depsAt(0), by, body);
  for (const [nth, { payload, ...piece }] of evidence.entries())
    await addEvidence(depsAt(nth + 1), by, shown.id, { ...piece, payload: { ...payload } });
  if (status !== 'OPEN') await changeCase(depsAt(evidence.length + 1), by, shown.id, { status }, undefined);
}
