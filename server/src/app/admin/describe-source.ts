import type { Source } from '#capabilities/corpus/index.ts';
import { expiresAtS } from '#domain/scoring/index.ts';
import { count } from './table.ts';

/** What a source is and what follows from it, after `feeds add` and `feeds import`. */
export function describeSource(source: Source): readonly string[] {
  const { id, threatClass, fpRisk, category, letter, reliability, entries, enabled } = source;
  const state = enabled ? '' : ', removed from every answer';
  return [
    `${id}: ${threatClass}, ${category}, grade ${letter}, reliability ${reliability.toFixed(2)}, risk of false positives ${fpRisk}, ${count(entries)} ${entries === 1 ? 'entry' : 'entries'}${state}.`,
    ...(source.ownList === true ? [`${expiryOf(source)} ${exportOf(source)}`] : []),
  ];
}

export function expiryOf(source: Pick<Source, 'ownList' | 'expiresDays' | 'lastFetchAtS'>): string {
  const { expiresDays = 0 } = source;
  if (expiresDays === 0) return 'It does not age and does not expire.';
  const days = `${count(expiresDays)} ${expiresDays === 1 ? 'day' : 'days'}`;
  const atS = expiresAtS(source);
  const end = atS === null ? '' : `, until ${new Date(atS * 1_000).toISOString().slice(0, 10)}`;
  return `It counts fully for ${days} after each import${end}.`;
}

export function exportOf({ exported, redistributable, licence }: Source): string {
  if (exported === false) return 'It is not exported (--no-export).';
  if (redistributable) return 'It is exported in blocklists and TAXII collections.';
  const why = licence === null ? '' : `, because of its license: ${licence}`;
  return `It is not exported in blocklists and TAXII collections${why}. If you may pass it on: feeds add ID --redistributable`;
}
