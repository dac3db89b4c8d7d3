import type { ListClass, ListRecord } from './learned-table.ts';

/** With fewer entries a share says nothing. */
export const TURNOVER_MIN = 200;
const NIGHTS = 7;

/** The entries of one source that were looked at again after 30 days. */
export type Turnover = {
  /** Entries that the source held 30 days ago and that were then 14 to 60 days old. */
  readonly judged: number;
  /** Of these, how many have left since. */
  readonly left: number;
  /** Entries that left, at least 30 days ago. */
  readonly ended: number;
  /** Of these, how many came back within 30 days. */
  readonly returned: number;
};

/** The share of young entries that left within 30 days; null: too few were judged. */
export const r30Of = ({ judged, left }: Turnover): number | null =>
  judged >= TURNOVER_MIN ? left / judged : null;

/** The share of leaving entries that came back within 30 days; null: too few left. */
export const back30Of = ({ ended, returned }: Turnover): number | null =>
  ended >= TURNOVER_MIN ? returned / ended : null;

export type SettledClass = Pick<ListRecord, 'class' | 'asked'>;

/**
 * The class after one more night. A measurement changes it only when seven nights in a row ask for the same class, and by a
 * margin: into `removes` at 6 %, out of it below 4 %; into `keeps` below 0.3 % with a share above 1 in 6,000, out of it above
 * 0.7 % or with a share below 1 in 10,000. A night without a measurement ends the row.
 */
export function settleClass(
  inForce: SettledClass,
  { r30, share }: { readonly r30: number | null; readonly share: number },
): SettledClass {
  const wanted = r30 === null ? inForce.class : wantedClass(inForce.class, r30, share);
  if (wanted === inForce.class) return { class: inForce.class };
  const nights = inForce.asked?.class === wanted ? Math.min(NIGHTS, inForce.asked.nights + 1) : 1;
  // The nights stay: where the new class has to wait for a release, the next night asks for it again.
  return { class: nights === NIGHTS ? wanted : inForce.class, asked: { class: wanted, nights } };
}

function wantedClass(now: ListClass, r30: number, share: number): ListClass {
  const staysRemoving = now === 'removes' && r30 >= 0.04;
  if (staysRemoving || r30 >= 0.06) return 'removes';
  const staysKeeping = now === 'keeps' && r30 <= 0.007 && share >= 1 / 10_000;
  if (staysKeeping || (r30 < 0.003 && share > 1 / 6_000)) return 'keeps';
  return 'unknown';
}
