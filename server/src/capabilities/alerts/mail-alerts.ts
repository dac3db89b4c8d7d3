import type { Letters } from '#capabilities/letters/index.ts';
import { SEVERITIES, type Severity } from '#domain/alerts/index.ts';
import { pageHref } from '#domain/dashboard/page-href.ts';
import { inertText } from '#domain/text/inert-text.ts';
import type { Db } from '#platform/postgres.ts';
import type { Alert } from './contract.ts';
import { addPending, type Owner, selectOwners } from './letter-store.ts';

export type AlertMail = {
  readonly letters: Pick<Letters, 'canSendLetters' | 'enqueueLetter'>;
  readonly publicWebUrl: string;
};

const LINES_MAX = 20;
const LINE_MAX = 300;
const AT_ONCE: ReadonlySet<Severity> = new Set(['critical', 'high']);

type Told = { readonly accountId: string; readonly alert: Pick<Alert, 'id' | 'severity' | 'title'> };

/** Sends critical and high alerts at once, in one letter per account and transaction; the rest go out hourly. */
export async function tellOwners(tx: Db, mail: AlertMail, told: readonly Told[]): Promise<void> {
  if (!mail.letters.canSendLetters || told.length === 0) return;
  const urgent = told.filter(({ alert }) => AT_ONCE.has(alert.severity));
  const rest = told.filter(({ alert }) => !AT_ONCE.has(alert.severity));
  if (rest.length > 0)
    await addPending(
      tx,
      rest.map(({ accountId, alert }) => ({ id: alert.id, accountId })),
    );
  if (urgent.length === 0) return;
  const owners = await selectOwners(tx, [...new Set(urgent.map(({ accountId }) => accountId))]);
  const byAccount = new Map<string, Told['alert'][]>();
  for (const { accountId, alert } of urgent)
    byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), alert]);
  for (const owner of owners) await writeTo(tx, mail, owner, byAccount.get(owner.accountId) ?? []);
}

/** Writes one letter about the most severe alerts and says how many more there are. */
export async function writeTo(
  tx: Db,
  { letters, publicWebUrl }: AlertMail,
  { accountId, userId, email }: Owner,
  alerts: readonly Told['alert'][],
): Promise<void> {
  const [first] = alerts;
  if (first === undefined) return;
  const sorted = alerts.toSorted((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity));
  const more = sorted.length - LINES_MAX;
  await letters.enqueueLetter(tx, {
    to: email,
    kind: 'alerts-raised',
    facts: {
      count: sorted.length.toLocaleString('en-US'),
      worst: sorted[0]?.severity ?? 'info',
      lines: sorted.slice(0, LINES_MAX).map(lineOf),
      more: Math.max(0, more).toLocaleString('en-US'),
      link: `${publicWebUrl.replace(/\/$/, '')}${pageHref('/alerts')}`,
    },
    accountId,
    key: `alerts:${first.id}:${userId}`,
  });
}

/** One line of an email, in which the email itself breaks links of hostile names. */
const lineOf = ({ severity, title }: Told['alert']): string =>
  inertText(`${severity}: ${title}`, LINE_MAX) ?? severity;
