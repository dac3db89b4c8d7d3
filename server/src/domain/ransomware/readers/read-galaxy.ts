import { fieldOf, itemsOf } from '#domain/text/foreign-json.ts';
import { claimDescription } from '../claim-text.ts';
import { readGroupName } from '../group-name.ts';
import {
  type GroupProfile,
  type GroupTechnique,
  locationOf,
  mergeProfiles,
  referenceOf,
  uniqueAliases,
  uniqueBy,
} from './group-profile.ts';
import { type ReadRows, readEach } from './post.ts';
import { ROWS_MAX } from './read-post-list.ts';

const LIST_MAX = 200;
const DESCRIPTION_MAX = 2_000;
const TECHNIQUE = /^(.{1,100}?) - (T\d{4}(?:\.\d{3})?)$/;
const NOTES = ['ransomnotes', 'ransomnotes-filenames', 'ransomnotes-files', 'ransomnotes-refs'];

/** Reads the ransomware cluster of the MISP galaxy: descriptions, other names, sites and techniques. */
export function readGalaxy(document: unknown): ReadRows<GroupProfile> {
  const { rows, refused } = readEach(itemsOf(fieldOf(document, 'values'), ROWS_MAX), readValue);
  return { rows: mergeProfiles(rows), refused };
}

function readValue(item: unknown): GroupProfile | string {
  const group = readGroupName(fieldOf(item, 'value'));
  if (group === null) return 'no group';
  const meta = fieldOf(item, 'meta');
  const listed = (name: string) => itemsOf(fieldOf(meta, name), LIST_MAX);
  const locations = uniqueBy(
    listed('links').flatMap((link) => locationOf(link, null, null)),
    ({ fqdn }) => fqdn,
  );
  const hosts = new Set(locations.map(({ fqdn }) => fqdn));
  return {
    ...group,
    aliases: uniqueAliases(group.key, listed('synonyms')),
    description: claimDescription(fieldOf(item, 'description'), DESCRIPTION_MAX),
    locations,
    techniques: uniqueBy(
      [...listed('TTP'), ...listed('ttp')].flatMap(techniqueOf),
      ({ techniqueId }) => techniqueId,
    ),
    references: uniqueBy(
      listed('refs').flatMap((url) => referenceOf(url, hosts) ?? []),
      (url) => url,
    ),
    isSeized: false,
    hasNotes: NOTES.some((name) => listed(name).length > 0),
  };
}

function techniqueOf(said: unknown): readonly GroupTechnique[] {
  const [, technique = '', techniqueId = ''] = typeof said === 'string' ? (TECHNIQUE.exec(said) ?? []) : [];
  return techniqueId === '' ? [] : [{ techniqueId, technique }];
}
