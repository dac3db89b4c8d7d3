import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { badRequest } from '#platform/errors.ts';

const MANIFEST_FILE = 'MANIFEST.json';
const RECORDS_MAX = 100_000;

const Day = z.iso.date('expected a day such as 2026-08-22');
/** A path inside the data set: a manifest must not make the import read any other file. */
const RelativePath = z
  .string()
  .min(1)
  .max(1_024)
  .refine(
    (path) => !path.startsWith('/') && !path.split(/[/\\]/).includes('..'),
    'expected a path inside the data set',
  );

/** The fields of a record that the import uses; other fields are ignored. */
const FileRecord = z.object({
  path: RelativePath,
  date: Day,
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'expected a SHA-256 in hexadecimal digits')
    .transform((text) => text.toLowerCase()),
  bytes: z.int().min(0),
  compression: z.string().nullish(),
  source: z.string().nullish(),
  /** Rows that the collector counted; used only to estimate the duration of the import. */
  entries: z.int().min(0).nullish(),
});

export type ManifestFile = {
  readonly path: string;
  readonly dateMs: number;
  readonly sha256: string;
  readonly bytes: number;
  readonly entries: number;
};

/** Reads the manifest's files below `folders`. Records of other folders are not checked: other features read them. */
export function parseManifest(text: string, folders: readonly string[]): readonly ManifestFile[] {
  const records = z
    .array(z.looseObject({ path: z.string().max(1_024) }))
    .max(RECORDS_MAX)
    .safeParse(asJson(text));
  if (!records.success) throw refusal('expected a list of records, each with a path');
  const files: ManifestFile[] = [];
  for (const record of records.data) {
    if (!folders.some((folder) => record.path.startsWith(folder))) continue;
    const file = FileRecord.safeParse(record);
    if (!file.success) {
      const issue = file.error.issues[0];
      throw refusal(`${record.path}: ${issue?.path.join('.')}: ${issue?.message}`);
    }
    const { path, date, sha256, bytes, entries } = file.data;
    files.push({ path, dateMs: Date.parse(date), sha256, bytes, entries: entries ?? 0 });
  }
  return files;
}

export async function readManifest(folder: string): Promise<string> {
  const path = join(folder, MANIFEST_FILE);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw badRequest(
      `'${path}' cannot be read (${String(error.code)}). Name the folder that holds ${MANIFEST_FILE}.`,
    );
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal('it is not JSON');
  }
}

const refusal = (what: string) => badRequest(`The manifest cannot be used: ${what}. Nothing was imported.`);
