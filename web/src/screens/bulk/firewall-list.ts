import type { BulkRow } from '@assay/sdk';
import { plural } from '../../words/numbers.ts';
import type { TriageRow } from './triage-view.ts';

export type FirewallList = {
  /** One value on each line, nothing else: some devices refuse comments. */
  readonly text: string;
  readonly count: number;
  /** Why rows of the group are missing from the list; empty when none is missing. */
  readonly leftOut: string;
};

/** Values come from the service, so each is checked to be one address or domain before it becomes a line. */
const LINES: Readonly<Record<string, RegExp>> = {
  ip: /^[0-9a-f:.]{2,45}$/i,
  domain: /^[a-z0-9_][a-z0-9._-]{0,252}$/i,
};

const canBeBlocked = ({ type, entity }: BulkRow): boolean => LINES[type]?.test(entity) === true;

/** Lists addresses and domains. Named services are left out: blocking a public resolver stops more than the attack. */
export function firewallList(rows: readonly TriageRow[]): FirewallList {
  const blockable = rows.filter(({ row }) => canBeBlocked(row));
  const lines = blockable.filter(({ row }) => row.service === undefined).map(({ row }) => row.entity);
  const services = blockable.length - lines.length;
  const others = rows.length - blockable.length;
  const leftOut = [
    ...(services > 0 ? [plural(services, 'named service')] : []),
    ...(others > 0 ? [`${plural(others, 'value')} that no firewall list holds`] : []),
  ].join(' and ');
  return { text: lines.map((line) => `${line}\n`).join(''), count: lines.length, leftOut };
}
