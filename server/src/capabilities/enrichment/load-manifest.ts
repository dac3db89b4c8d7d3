import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { badRequest } from '#platform/errors.ts';
import { sha256Of } from '#platform/sha256.ts';
import type { ReferenceKind } from './compile-reference.ts';
import { type LoadDeps, type LoadReport, loadReference } from './load-reference.ts';
import { RefusedFile } from './refused-file.ts';

/** The files of a data set that make each kind; a set without them leaves that kind unchanged. */
const SETS: readonly { readonly kind: ReferenceKind; readonly ids: readonly string[] }[] = [
  { kind: 'geo', ids: ['geo-whois-asn-country/geo-whois-asn-country.mmdb'] },
  { kind: 'asn', ids: ['asn/asn-ipv4.csv', 'asn/asn-ipv6.csv'] },
  { kind: 'attack', ids: ['mitre-attack/enterprise-attack.json'] },
];

const Row = z.object({
  id: z.string().max(512),
  path: z
    .string()
    .max(1_024)
    .refine(
      (path) => !path.startsWith('/') && !path.split(/[/\\]/).includes('..'),
      'expected a path inside the data set',
    ),
  sha256: z.string().regex(/^[0-9a-f]{64}$/i),
  date: z.iso.date(),
  name: z.string().max(500),
  licence: z.string().max(500).nullish(),
});
type Row = z.infer<typeof Row>;

export type ManifestLoad =
  | ({ readonly kind: ReferenceKind } & LoadReport)
  | { readonly kind: ReferenceKind; readonly outcome: 'refused'; readonly reason: string };

/** Loads the reference data of an offline data set. A refused kind does not stop the others. */
export async function loadReferenceManifest(
  deps: LoadDeps,
  folder: string,
): Promise<readonly ManifestLoad[]> {
  const rows = await readManifest(folder);
  const reports: ManifestLoad[] = [];
  for (const { kind, ids } of SETS) {
    const found = ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
    if (found.length < ids.length) continue;
    try {
      reports.push({ kind, ...(await loadSet(deps, folder, kind, found)) });
    } catch (error) {
      if (!(error instanceof RefusedFile)) throw error;
      reports.push({ kind, outcome: 'refused', reason: error.message });
    }
  }
  return reports;
}

async function loadSet(
  deps: LoadDeps,
  folder: string,
  kind: ReferenceKind,
  rows: readonly Row[],
): Promise<LoadReport> {
  const dataAtMs = Math.max(...rows.map(({ date }) => Date.parse(date)));
  const files = await Promise.all(
    rows.map(async ({ path, sha256 }) => {
      const bytes = await readFile(join(folder, path)).catch(() => {
        throw new RefusedFile(`${path} is in the manifest but missing.`);
      });
      if (sha256Of(bytes) !== sha256.toLowerCase())
        throw new RefusedFile(`${path} is not the file of the manifest: its SHA-256 differs.`);
      return { label: path, bytes, modifiedAtMs: dataAtMs };
    }),
  );
  const [first] = rows;
  return loadReference(deps, kind, files, {
    dataAtMs: Math.min(dataAtMs, deps.clock.now()),
    ...(first === undefined ? {} : { name: first.name.slice(0, 200) }),
    // The notice that ATT&CK requires is longer than the manifest's text.
    ...(kind === 'attack' || first?.licence == null ? {} : { attribution: first.licence }),
  });
}

async function readManifest(folder: string): Promise<readonly Row[]> {
  const path = join(folder, 'MANIFEST.json');
  const text = await readFile(path, 'utf8').catch((error: { readonly code?: unknown }) => {
    throw badRequest(
      `'${path}' cannot be read (${String(error.code)}). Name the folder that holds MANIFEST.json.`,
    );
  });
  let records: unknown;
  try {
    records = JSON.parse(text);
  } catch {
    throw badRequest(`${path} is not JSON.`);
  }
  const wanted = new Set(SETS.flatMap(({ ids }) => ids));
  const isWanted = (record: unknown) => wanted.has(String((record as { id?: unknown } | null)?.id));
  const parsed = z.array(Row).safeParse(Array.isArray(records) ? records.filter(isWanted) : null);
  if (!parsed.success) throw badRequest(`${path} cannot be used: ${parsed.error.issues[0]?.message}.`);
  return parsed.data;
}
