import { causeTag, causeWords } from './cause-words.ts';
import { causesOf } from './causes.ts';
import type { Phases } from './check-state.ts';
import { contextWords } from './infrastructure-words.ts';
import { serviceWords } from './service-words.ts';

/** A word about the indicator, such as "Tor exit"; the title explains it. */
export type Tag = { readonly text: string; readonly title: string };

const TAGS_MAX = 6;

/** The tags of an indicator: first what it is accused of, then what lists describe it as. */
export function tagsOf(phases: Phases): readonly Tag[] {
  const { reputation } = phases;
  if (reputation === undefined) return [];
  const { service, lookalike, infrastructure } = reputation;
  const tags = [
    ...causesOf(phases).map(({ category }) => ({
      text: causeTag(category),
      title: `Listed for ${causeWords(category)}`,
    })),
    ...(lookalike === undefined
      ? []
      : [
          {
            text: 'Look-alike',
            title: `Its name resembles ${lookalike.of}; that alone accuses it of nothing`,
          },
        ]),
    ...(service === undefined
      ? []
      : [{ text: serviceWords(service.kind), title: `A service of ${service.operator}` }]),
    ...byRank(infrastructure?.attributes ?? []),
  ];
  return tags
    .filter(({ text }, at) => tags.findIndex((other) => other.text === text) === at)
    .slice(0, TAGS_MAX);
}

const byRank = (attributes: readonly string[]): readonly Tag[] =>
  attributes
    .map(contextWords)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ tag, meaning }) => ({ text: tag, title: capital(meaning) }));

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
