import { parse } from 'yaml';
import { parseCveId } from './cve-id.ts';
import { scoreOf } from './cvss.ts';
import {
  cwesIn,
  DESCRIPTION_MAX,
  dateAt,
  distinct,
  fieldOf,
  listAt,
  NAME_MAX,
  parseJson,
  readingOf,
  referencesAt,
  refusal,
  TITLE_MAX,
  textAt,
  textsAt,
  VERSION_MAX,
} from './fields.ts';
import { packageName } from './package-names.ts';
import { type CveReading, type ToldEvent, type ToldPackage, type ToldRange, toldNothing } from './told.ts';

const TEXT_MAX = 8 * 1024 * 1024;
const VERSIONS_MAX = 20_000;

/** An OSV record as JSON or YAML, the form of GitHub, PyPI and Go; it tells about every CVE among its aliases. */
export function readOsv(document: string, text: string): CveReading {
  if (text.length > TEXT_MAX) return refusal(document, 'too-large');
  const isJson = /^\s*\{/.test(text);
  const record = isJson ? parseJson(text) : parseYaml(text);
  if (record === undefined) return refusal(document, isJson ? 'not-json' : 'not-yaml');
  return readOsvRecord(document, record);
}

/** Every scalar stays text, so that the version 1.10 does not become the number 1.1. */
export function parseYaml(text: string): unknown {
  try {
    return parse(text, {
      schema: 'failsafe',
      prettyErrors: false,
      logLevel: 'error',
      maxAliasCount: 20,
    }) as unknown;
  } catch {
    return undefined;
  }
}

export function readOsvRecord(document: string, record: unknown): CveReading {
  const id = textAt(record, 'id', 100);
  if (id === null) return refusal(document, 'wrong-format');
  if (textAt(record, 'withdrawn', 40) !== null) return refusal(document, 'withdrawn');
  // Advisories of distributions name the CVEs that they are about as `upstream`.
  const names = distinct([
    id,
    ...textsAt(record, 'aliases', 100, 200),
    ...textsAt(record, 'upstream', 100, 500),
  ]);
  const cveIds = distinct(names.flatMap((name) => parseCveId(name) ?? []));
  if (cveIds.length === 0) return refusal(document, 'no-cve-id');
  const aliases = names.filter((name) => parseCveId(name) === null);
  const specific = fieldOf(record, 'database_specific');
  const said = {
    title: textAt(record, 'summary', TITLE_MAX),
    description: textAt(record, 'details', DESCRIPTION_MAX),
    published: dateAt(record, 'published'),
    modified: dateAt(record, 'modified'),
    scores: listAt(record, 'severity', 20).flatMap((severity) =>
      scoreOf(null, textAt(severity, 'score', 400), { assigner: 'other', source: registerOf(id) }),
    ),
    cwes: cwesIn([...textsAt(specific, 'cwe_ids', 40, 100), ...textsAt(specific, 'cwes', 40, 100)]),
    references: referencesAt(record, 'references', registerOf(id)),
    packages: listAt(record, 'affected').flatMap(readPackage),
  };
  return readingOf(cveIds.map((cveId) => ({ ...toldNothing(cveId, 'osv', id), ...said, aliases })));
}

/** The register of an advisory id: GHSA for `GHSA-xxxx`. */
const registerOf = (id: string): string => id.split('-', 1)[0] ?? 'OSV';

function readPackage(entry: unknown): readonly ToldPackage[] {
  const named = fieldOf(entry, 'package');
  const ecosystem = textAt(named, 'ecosystem', 100);
  const name = textAt(named, 'name', NAME_MAX);
  if (ecosystem === null || name === null) return [];
  return [
    {
      ...packageName(ecosystem, name),
      ranges: listAt(entry, 'ranges', 200).flatMap((range) => readRange(range, lastKnownOf(entry))),
      versions: textsAt(entry, 'versions', VERSION_MAX, VERSIONS_MAX),
    },
  ];
}

/** GitHub's "<= 6.2.2" for a range whose end is not known. */
function lastKnownOf(entry: unknown): string | null {
  const text = textAt(fieldOf(entry, 'database_specific'), 'last_known_affected_version_range', VERSION_MAX);
  return /^<= ?(\S+)$/.exec(text ?? '')?.[1] ?? null;
}

function readRange(range: unknown, lastKnown: string | null): readonly ToldRange[] {
  const type = fieldOf(range, 'type');
  if (type !== 'SEMVER' && type !== 'ECOSYSTEM' && type !== 'GIT') return [];
  const events = listAt(range, 'events');
  // Some records have an empty version as the fix.
  const isOpen = lastKnown !== null && events.some((event) => fieldOf(event, 'fixed') === '');
  const open: readonly ToldEvent[] = isOpen ? [{ kind: 'last_known', version: lastKnown }] : [];
  return [{ type, events: [...events.flatMap(readEvent), ...open] }];
}

const EVENT_KINDS = ['introduced', 'fixed', 'last_affected', 'limit'] as const;

function readEvent(event: unknown): readonly ToldEvent[] {
  return EVENT_KINDS.flatMap((kind) => {
    const version = textAt(event, kind, VERSION_MAX);
    return version === null ? [] : [{ kind, version }];
  });
}
