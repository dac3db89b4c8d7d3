import { readGroupName } from '../group-name.ts';
import { type GroupProfile, locationOf, saysSeized, uniqueBy } from './group-profile.ts';
import type { ReadRows } from './post.ts';
import { isHeld } from './read-group-list.ts';

const LINES_MAX = 20_000;
const LINE_MAX = 4_000;
/** Rows of the table that name trackers and not groups. */
const TRACKERS = /^(?:ransom(?:chats|feed|news| db)|ransomware groups?\b)/i;

type Row = { readonly name: string; readonly key: string; readonly url: string; readonly status: string };

/** The table of deepdarkCTI: a group, the address of a site, and whether it answers. */
export function readGangTable(markdown: string, checkedAtMs: number | null): ReadRows<GroupProfile> {
  const refused: Record<string, number> = {};
  const byKey = new Map<string, Row[]>();
  for (const line of markdown.split('\n').slice(0, LINES_MAX)) {
    const row = line.length > LINE_MAX ? null : rowOf(line);
    if (row === null) continue;
    const { text, url, status } = row;
    const group = TRACKERS.test(text) ? null : readGroupName(text);
    if (group === null) refused['no group'] = (refused['no group'] ?? 0) + 1;
    else byKey.set(group.key, [...(byKey.get(group.key) ?? []), { ...group, url, status }]);
  }
  return { rows: [...byKey.values()].map((rows) => profileOf(rows, checkedAtMs)), refused };
}

/** Reads a line such as `|[name](address)|status|…`; null for headings and other lines. */
function rowOf(
  line: string,
): { readonly text: string; readonly url: string; readonly status: string } | null {
  const [, link = '', status = ''] = line.split('|');
  const [text, url, ...more] = link.trim().split('](');
  if (text === undefined || url === undefined || more.length > 0) return null;
  if (!text.startsWith('[') || !url.endsWith(')')) return null;
  return { text: text.slice(1), url: url.slice(0, -1), status: status.trim() };
}

function profileOf(rows: readonly Row[], checkedAtMs: number | null): GroupProfile {
  const [first] = rows;
  const isUp = (status: string) => /^online/i.test(status) && !saysSeized(status);
  return {
    key: first?.key ?? '',
    name: first?.name ?? '',
    aliases: [],
    description: null,
    locations: uniqueBy(
      rows.flatMap(({ url, status }) => locationOf(url, isUp(status), checkedAtMs)),
      ({ fqdn }) => fqdn,
    ),
    techniques: [],
    references: [],
    isSeized: isHeld(rows.map(({ status }) => ({ said: status, isUp: isUp(status) }))),
    hasNotes: false,
  };
}
