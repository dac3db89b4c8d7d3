import { compileAttack } from '#domain/techniques/index.ts';
import { type AsnRange, packAsnTable } from './asn-table.ts';
import { isGeoRecord, readGeoRecord, textOf } from './geo-record.ts';
import { isMmdb, type MmdbRecord, readMmdb } from './mmdb.ts';
import { readAsnCsv } from './read-asn-csv.ts';
import { RefusedFile } from './refused-file.ts';

export const REFERENCE_KINDS = ['geo', 'asn', 'attack'] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

export type ReferencePart = { readonly label: string; readonly bytes: Buffer };

export type CompiledReference = {
  readonly content: Uint8Array;
  /** Null: the file has no date of its own. */
  readonly dataAtMs: number | null;
  readonly name: string | null;
  readonly details: Readonly<Record<string, number>>;
};

/** Verifies that the files are complete and of the given kind, and converts them to the stored form. */
export function compileReference(kind: ReferenceKind, parts: readonly ReferencePart[]): CompiledReference {
  if (kind === 'asn') return compileAsn(parts);
  const [part, second] = parts;
  if (part === undefined || second !== undefined)
    throw new RefusedFile(`Exactly one file makes a version of ${kind}.`);
  return kind === 'geo' ? compileGeo(part) : compileAttackPart(part);
}

function compileGeo({ label, bytes }: ReferencePart): CompiledReference {
  const seen = new Map<MmdbRecord, boolean>();
  let [networks, countries, cities] = [0, 0, 0];
  const metadata = readMmdb(label, bytes, ({ record }) => {
    networks += 1;
    if (seen.has(record)) return;
    seen.set(record, true);
    if (!isGeoRecord(record)) return;
    const { countryCode, city } = readGeoRecord(record);
    if (countryCode !== null) countries += 1;
    if (city !== null) cities += 1;
  });
  if (countries === 0)
    throw new RefusedFile(
      `${label} has no countries of networks: its type is '${textOf(metadata.databaseType) ?? 'unknown'}'. A country or city file is needed.`,
    );
  return {
    content: bytes,
    dataAtMs: metadata.buildEpoch.getTime() || null,
    name: textOf(metadata.databaseType),
    details: { networks, records: seen.size, recordsWithCity: cities },
  };
}

function compileAsn(parts: readonly ReferencePart[]): CompiledReference {
  let [builtMs, name]: [number | null, string | null] = [null, null];
  const ranges: AsnRange[] = [];
  for (const { label, bytes } of parts) {
    if (!isMmdb(bytes)) {
      for (const range of readAsnCsv(label, bytes)) ranges.push(range);
      continue;
    }
    const before = ranges.length;
    const metadata = readMmdb(label, bytes, (network) => {
      const range = rangeOf(network);
      if (range !== null) ranges.push(range);
    });
    if (ranges.length === before)
      throw new RefusedFile(
        `${label} has no owners of networks: its type is '${textOf(metadata.databaseType) ?? 'unknown'}'. An ASN file is needed.`,
      );
    [builtMs, name] = [metadata.buildEpoch.getTime() || null, textOf(metadata.databaseType)];
  }
  if (ranges.length === 0) throw new RefusedFile('No file was given.');
  return {
    content: packAsnTable(ranges),
    dataAtMs: builtMs,
    name,
    details: {
      ranges4: ranges.filter(({ version }) => version === 4).length,
      ranges6: ranges.filter(({ version }) => version === 6).length,
      systems: new Set(ranges.map(({ asn }) => asn)).size,
    },
  };
}

function rangeOf({
  version,
  first,
  bits,
  record,
}: {
  version: 4 | 6;
  first: Uint8Array;
  bits: number;
  record: MmdbRecord;
}): AsnRange | null {
  const asn = record.autonomous_system_number;
  if (typeof asn !== 'number' || asn < 1) return null;
  const low = BigInt(`0x${Buffer.from(first).toString('hex')}`);
  const hostBits = BigInt((version === 4 ? 32 : 128) - bits);
  const name = textOf(record.autonomous_system_organization) ?? `AS${asn}`;
  return { version, first: low, last: low + (1n << hostBits) - 1n, asn, name };
}

function compileAttackPart({ label, bytes }: ReferencePart): CompiledReference {
  let bundle: unknown;
  try {
    bundle = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new RefusedFile(`${label} is not JSON, or was cut off.`, { cause: error });
  }
  const compiled = compileAttack(bundle);
  if (compiled === null)
    throw new RefusedFile(
      `${label} is no STIX bundle of enterprise ATT&CK: it holds no technique of that matrix.`,
    );
  const { document, modifiedAt } = compiled;
  const { techniques, tactics, mitigations } = document;
  return {
    content: Buffer.from(JSON.stringify(document)),
    dataAtMs: modifiedAt === null ? null : Date.parse(modifiedAt) || null,
    name: 'MITRE ATT&CK Enterprise',
    details: { techniques: techniques.length, tactics: tactics.length, mitigations: mitigations.length },
  };
}
