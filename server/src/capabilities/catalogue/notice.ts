import type { CatalogueRow } from './catalogue-row.ts';

/** Data besides the sources of the catalogue, with the sentence that each publisher requires. */
const OTHER_DATA: readonly string[] = [
  'DB-IP and RouteViews (address to network number): CC BY 4.0. IP Geolocation by DB-IP, https://db-ip.com',
  'MITRE ATT&CK: ATT&CK terms of use. © The MITRE Corporation. This work is reproduced and distributed with the permission of The MITRE Corporation.',
];

const HEADING = `NOTICE

This deployment may use data of the publishers below. Each list stays under its own licence. "Passed on: no" means that
its entries count in scores and never leave in blocklists or TAXII collections.
`;

/** The notice of a deployment: per publisher its lists, licences and the required attribution. */
export function noticeOf(rows: readonly CatalogueRow[]): string {
  const publishers = Map.groupBy(rows, ({ publisher }) => publisher);
  const sections = [...publishers]
    .toSorted(([left], [right]) => left.localeCompare(right, 'en'))
    .map(([publisher, lists]) => sectionOf(publisher, lists));
  return `${[HEADING, ...sections, otherSection()].join('\n')}`;
}

function sectionOf(publisher: string, rows: readonly CatalogueRow[]): string {
  const licences = Map.groupBy(rows, ({ licence }) => JSON.stringify(licence));
  const paragraphs = [...licences.values()].map((lists) => paragraphOf(lists));
  return `${publisher}\n${paragraphs.join('')}`;
}

function paragraphOf(rows: readonly CatalogueRow[]): string {
  const [first] = rows;
  if (first === undefined) return '';
  const { name, attribution, redistributable, optIn } = first.licence;
  return [
    `  Lists: ${rows.map((row) => `${row.name} (${row.id})`).join('; ')}`,
    `  Licence: ${name}${optIn === true ? ' (the operator accepts its terms first)' : ''}`,
    ...(attribution === undefined ? [] : [`  Attribution: ${attribution}`]),
    `  Passed on: ${redistributable ? 'yes' : 'no'}`,
    '',
  ].join('\n');
}

const otherSection = (): string => `Other data\n${OTHER_DATA.map((line) => `  ${line}\n`).join('')}`;
