import type { AlertBudget, NewAlert } from '#capabilities/alerts/index.ts';
import { KIND, textOfKey } from '#capabilities/corpus/index.ts';
import type { NewsTeller } from '#capabilities/standing/index.ts';
import type { Domain } from '#domain/indicator/index.ts';
import { lookalikeOf } from '#domain/lookalike/index.ts';
import { spellingsOf, watchedNameOf } from '#domain/monitoring/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/postgres.ts';
import type { RaiseDeps } from './desk.ts';
import { addNames, type SpelledTarget, takeNames, targetsSpelled } from './name-store.ts';
import { raise } from './recheck-targets.ts';
import { indicatorOf } from './target.ts';
import { selectWatchers } from './target-store.ts';
import { lookalikeAlert } from './word-alerts.ts';

/**
 * Writes down names that were accused for the first time, in the transaction that gives them their standing. A job compares
 * them with the watched names afterwards.
 */
export const createNameTeller =
  ({ clock }: { readonly clock: Pick<Clock, 'now'> }): NewsTeller =>
  () =>
  async (tx, { moves }) => {
    const names = moves.flatMap(({ key, before, after }) =>
      before === null && after !== null && key[0] === KIND.domain ? [textOfKey(key) ?? ''] : [],
    );
    if (names.length > 0) await addNames(tx, names, clock.now());
  };

/** Several tellers as one, in order and in one transaction. */
export const tellAll =
  (...tellers: readonly NewsTeller[]): NewsTeller =>
  () => {
    const tells = tellers.map((teller) => teller());
    return async (tx, news) => {
      for (const tell of tells) await tell(tx, news);
    };
  };

const NAMES_AT_ONCE = 500;

/** Compares some of the new names with the watched ones. Returns how many names it took. */
export async function findLookalikes(
  tx: Db,
  { clock, mail }: RaiseDeps,
  budget: AlertBudget,
): Promise<number> {
  const names = await takeNames(tx, NAMES_AT_ONCE);
  const domains = names.flatMap(({ name }) => domainOf(name) ?? []);
  const byForm = new Map<string, Domain[]>();
  for (const domain of domains)
    for (const form of spellingsOf(domain)) {
      const known = byForm.get(form);
      if (known === undefined) byForm.set(form, [domain]);
      else known.push(domain);
    }
  const found = await imitatedIn(tx, byForm);
  if (found.length > 0) {
    const desk = { budget, mail, nowMs: clock.now() };
    await raise(tx, desk, await alertsFor(tx, found));
  }
  return names.length;
}

type Imitated = {
  readonly target: SpelledTarget;
  readonly name: string;
  readonly technique: string;
  readonly closeness: number;
};

/** The new names that imitate a watched one. A shared form only selects the pairs; the look-alike rules decide. */
async function imitatedIn(
  tx: Db,
  byForm: ReadonlyMap<string, readonly Domain[]>,
): Promise<readonly Imitated[]> {
  if (byForm.size === 0) return [];
  const found = new Map<string, Imitated>();
  for (const target of await targetsSpelled(tx, [...byForm.keys()])) {
    const watched = domainOf(target.value);
    const brand = watched === null ? null : (watchedNameOf(watched)?.brand ?? null);
    if (brand === null) continue;
    for (const domain of byForm.get(target.form) ?? []) {
      const pair = `${target.value} ${domain.value}`;
      const imitation = found.has(pair) ? null : lookalikeOf(brand, domain);
      if (imitation !== null) found.set(pair, { target, name: domain.value, ...imitation });
    }
  }
  return [...found.values()];
}

async function alertsFor(tx: Db, found: readonly Imitated[]): Promise<readonly NewAlert[]> {
  const keys = new Map(found.map(({ target }) => [target.key.toString('latin1'), target.key]));
  const watchers = await selectWatchers(tx, [...keys.values()]);
  return found.flatMap(({ target, ...imitation }) =>
    watchers
      .filter(({ key }) => key.equals(target.key))
      .map((watcher) => lookalikeAlert({ ...watcher, entityType: 'domain', value: target.value }, imitation)),
  );
}

function domainOf(text: string): Domain | null {
  const indicator = indicatorOf(text);
  return indicator?.kind === 'domain' ? indicator : null;
}
