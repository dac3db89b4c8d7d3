import { fieldOf, itemsOf } from '#domain/text/foreign-json.ts';
import { claimText } from '../claim-text.ts';
import { readGroupName } from '../group-name.ts';
import {
  type GroupProfile,
  locationOf,
  mergeProfiles,
  referenceOf,
  saysSeized,
  uniqueAliases,
  uniqueBy,
} from './group-profile.ts';
import { type ReadRows, readEach } from './post.ts';
import { ROWS_MAX } from './read-post-list.ts';
import { readTimeMs } from './read-time.ts';

const LOCATIONS_MAX = 200;
const META_MAX = 300;
/** `aka blackcat - fileserver …`: the other name ends before the next remark. */
const AKA = /^aka ([\p{L}\p{N} ._-]{2,60}?)(?: - .*)?$/iu;

/** The groups of ransomwatch with their sites (`groups.json`). */
export function readGroupList(document: unknown): ReadRows<GroupProfile> {
  const { rows, refused } = readEach(itemsOf(document, ROWS_MAX), readGroup);
  return { rows: mergeProfiles(rows), refused };
}

function readGroup(item: unknown): GroupProfile | string {
  const group = readGroupName(fieldOf(item, 'name'));
  if (group === null) return 'no group';
  const sites = itemsOf(fieldOf(item, 'locations'), LOCATIONS_MAX);
  const locations = uniqueBy(
    sites.flatMap((site) =>
      locationOf(
        fieldOf(site, 'fqdn'),
        fieldOf(site, 'available') === true,
        readTimeMs(fieldOf(site, 'updated')),
      ),
    ),
    ({ fqdn }) => fqdn,
  );
  const hosts = new Set(locations.map(({ fqdn }) => fqdn));
  const meta = claimText(fieldOf(item, 'meta'), META_MAX);
  return {
    ...group,
    aliases: uniqueAliases(group.key, [AKA.exec(meta ?? '')?.[1]]),
    // A remark that only gives another name is not used as the description.
    description: meta === null || AKA.test(meta) ? null : meta,
    locations,
    techniques: [],
    references: uniqueBy(
      itemsOf(fieldOf(item, 'profile'), LOCATIONS_MAX).flatMap((url) => referenceOf(url, hosts) ?? []),
      (url) => url,
    ),
    isSeized: isHeld(
      sites.map((site) => ({ said: fieldOf(site, 'title'), isUp: fieldOf(site, 'available') === true })),
    ),
    hasNotes: false,
  };
}

/** A group is seized when the authorities hold a site of it and it has no other that answers. */
export const isHeld = (sites: readonly { readonly said: unknown; readonly isUp: boolean }[]): boolean =>
  sites.some(({ said }) => saysSeized(said)) && !sites.some(({ said, isUp }) => isUp && !saysSeized(said));
