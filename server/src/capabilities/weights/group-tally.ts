import {
  AGE_GROUPS,
  type AgeGroup,
  ageGroupOf,
  type EntryCount,
  type GroupCount,
} from '#domain/weights/index.ts';
import { DAY_S } from '#platform/time-units.ts';

/** The age group of an entry on a day; both in days since the epoch. */
export const groupOn = (firstDay: number | null, day: number): AgeGroup =>
  ageGroupOf(firstDay === null ? null : firstDay * DAY_S, day * DAY_S);

type Tally = { n: number; h: number; leftN: number; leftH: number };

/** Counts by source and age group, of what is listed and of what has left. */
export class GroupTally {
  readonly #tallies = new Map<string, Tally>();

  #of(sourceNumber: number, group: AgeGroup): Tally {
    const name = `${sourceNumber} ${group}`;
    const known = this.#tallies.get(name) ?? { n: 0, h: 0, leftN: 0, leftH: 0 };
    this.#tallies.set(name, known);
    return known;
  }

  addListed(sourceNumber: number, group: AgeGroup, { n, h }: EntryCount): void {
    const tally = this.#of(sourceNumber, group);
    tally.n += n;
    tally.h += h;
  }

  addLeft(sourceNumber: number, group: AgeGroup, { n, h }: EntryCount): void {
    const tally = this.#of(sourceNumber, group);
    tally.leftN += n;
    tally.leftH += h;
  }

  groupsOf(sourceNumber: number): readonly GroupCount[] {
    return AGE_GROUPS.flatMap((group) => {
      const tally = this.#tallies.get(`${sourceNumber} ${group}`);
      if (tally === undefined) return [];
      const { n, h, leftN, leftH } = tally;
      return [{ group, n, h, left: { n: leftN, h: leftH } }];
    });
  }
}
