import { DAY_MS } from '../../server/src/platform/time-units.ts';
import type { SampleEntry } from './entry.ts';
import { type Random, randomOf } from './random.ts';
import { renderPlain } from './render.ts';
import type { SampleSource } from './sample-source.ts';
import { SOURCES } from './sources.ts';
import { STORIES } from './stories.ts';
import { FAMILIES } from './values.ts';

export type Edition = {
  /** Days relative to today: 0 is today, -30 the first day. */
  readonly day: number;
  readonly text: string;
  readonly entries: readonly string[];
};

/** Thirty days, as the dashboard's timeline. What a list has on its first day counts as its load, not as additions. */
export const FIRST_DAY = -30;
const DAYS_OF_WEEK = 7;
const WEEKEND_SHARE = 0.55;
/** Two campaigns, so that the curve is not flat. */
const CAMPAIGN_DAYS: readonly number[] = [-19, -18, -5, -4, -3];
const CAMPAIGN_FACTOR = 2.2;
const AGE_DAYS_MAX = 200;
/** Share of the entries of the lists it repeats that a combined list takes over. */
const REPEATED_SHARE = 0.6;

type Living = SampleEntry & { readonly leavesOn: number };

/** Every edition of a list, oldest first. `todayMs` only sets the dates: the values never change. */
export function editionsOf(source: SampleSource, todayMs: number): readonly Edition[] {
  const days = publicationDays(source);
  const entriesOn = source.repeats === undefined ? grow(source, todayMs) : repeat(source.repeats, todayMs);
  return days.map((day) => {
    const entries = entriesOn(day);
    return {
      day,
      text: (source.render ?? renderPlain)(entries),
      entries: entries.flatMap(({ text }) => text.split(',')),
    };
  });
}

/** Lists with the same interval take turns, so that every day has additions. */
function publicationDays({ id, everyDays, breaksToday }: SampleSource): readonly number[] {
  const turn = SOURCES.findIndex((source) => source.id === id) % everyDays;
  const days: number[] = [];
  for (let day = -turn; day > FIRST_DAY; day -= everyDays) days.unshift(day);
  return [FIRST_DAY, ...days.filter((day) => day < 0 || breaksToday !== true)];
}

function grow(source: SampleSource, todayMs: number): (day: number) => readonly SampleEntry[] {
  const random = randomOf(source.id);
  const known = new Set<string>();
  const drawNew = (day: number, age: number): Living => {
    for (;;) {
      const text = source.draw(random, known.size);
      if (known.has(text)) continue;
      known.add(text);
      return { ...described(text, day - age, todayMs, random), leavesOn: Number.POSITIVE_INFINITY };
    }
  };
  const stories = STORIES.filter(({ source: id }) => id === source.id).map((story) => {
    known.add(story.text);
    return {
      ...described(story.text, story.from ?? FIRST_DAY, todayMs, random),
      from: story.from ?? FIRST_DAY,
      leavesOn: story.until ?? Number.POSITIVE_INFINITY,
    };
  });
  let alive = Array.from({ length: source.size }, () => drawNew(FIRST_DAY, random.below(AGE_DAYS_MAX)));
  const byDay = new Map([[FIRST_DAY, alive]]);
  for (let day = FIRST_DAY + 1; day <= 0; day += 1) {
    const coming = comingOn(source, day, random);
    const stay = leave(alive, Math.round(coming * source.leavesShare), random);
    alive = [...stay, ...Array.from({ length: coming }, () => drawNew(day, 0))];
    byDay.set(day, alive);
  }
  return (day) => [
    ...stories.filter(({ from, leavesOn }) => from <= day && day < leavesOn),
    ...(byDay.get(day) ?? []),
  ];
}

function comingOn({ comesPerDay }: SampleSource, day: number, random: Random): number {
  const weekday = (((day % DAYS_OF_WEEK) + DAYS_OF_WEEK) % DAYS_OF_WEEK) + 1;
  const weekend = weekday > 5 ? WEEKEND_SHARE : 1;
  const campaign = CAMPAIGN_DAYS.includes(day) ? CAMPAIGN_FACTOR : 1;
  return Math.round(comesPerDay * weekend * campaign * (0.7 + 0.6 * random.share()));
}

function leave(alive: readonly Living[], count: number, random: Random): readonly Living[] {
  const gone = new Set<number>();
  while (gone.size < Math.min(count, alive.length)) gone.add(random.below(alive.length));
  return alive.filter((_, at) => !gone.has(at));
}

function described(text: string, day: number, todayMs: number, random: Random): SampleEntry {
  return {
    text,
    firstSeen: new Date(todayMs + day * DAY_MS).toISOString().slice(0, 10),
    family: random.pick(FAMILIES),
    confidence: 60 + random.below(41),
  };
}

function repeat(ids: readonly string[], todayMs: number): (day: number) => readonly SampleEntry[] {
  const members = SOURCES.filter(({ id }) => ids.includes(id)).map((source) => grow(source, todayMs));
  const isTaken = new Map<string, boolean>();
  const takes = (text: string): boolean => {
    const known = isTaken.get(text) ?? randomOf(text).share() < REPEATED_SHARE;
    isTaken.set(text, known);
    return known;
  };
  return (day) => {
    const byText = new Map(
      members.flatMap((entriesOn) => entriesOn(day).map((entry) => [entry.text, entry])),
    );
    return [...byText.values()].filter(({ text }) => takes(text));
  };
}
