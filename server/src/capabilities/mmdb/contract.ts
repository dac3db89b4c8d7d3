import { z } from 'zod';

const Field = z.object({
  name: z.string().max(64),
  type: z.enum(['uint16', 'string', 'array of string']),
  description: z.string().max(400),
});

/** The fields of a record, as a reader of the file finds them. */
export const RECORD_FIELDS: readonly z.output<typeof Field>[] = [
  { name: 'score', type: 'uint16', description: 'Points from 35 to 100.' },
  { name: 'level', type: 'string', description: 'medium, high or critical.' },
  {
    name: 'categories',
    type: 'array of string',
    description: 'What the sources accuse it of: c2, botnet, scanner …',
  },
  {
    name: 'sources',
    type: 'array of string',
    description: 'Ids of the sources that list it, as in /sources.',
  },
  {
    name: 'attributes',
    type: 'array of string',
    description: 'What it is beside that: tor-exit, vpn, proxy, cloud …',
  },
];

/** Names of the metadata of the MaxMind DB format, in camel case. */
export const MmdbInfo = z
  .object({
    available: z.boolean().describe('False before the first build; then what only a file can tell is null.'),
    databaseType: z.string().max(64),
    description: z.object({ en: z.string().max(400) }),
    languages: z.array(z.string().max(8)).max(8),
    binaryFormatMajorVersion: z.int(),
    binaryFormatMinorVersion: z.int(),
    buildEpoch: z.int().nullable().describe('When it was built, in seconds.'),
    ipVersion: z.int().describe('6: one tree holds both families.'),
    nodeCount: z.int().nullable(),
    recordSize: z.int().nullable().describe('Bits of a record of the search tree: 24, 28 or 32.'),
    sizeBytes: z.int().nullable(),
    sha256: z.string().length(64).nullable().describe('Of the whole file.'),
    schema: z.array(Field).max(32).describe('The fields of a record.'),
  })
  .meta({ id: 'MmdbInfo' });
export type MmdbInfo = z.output<typeof MmdbInfo>;

export const MmdbFile = z.string().max(1_073_741_824).describe('A MaxMind DB file.');
