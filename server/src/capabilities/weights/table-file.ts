import { z } from 'zod';
import { AGE_GROUPS, type LearnedTable, LIST_CLASSES, textOfTable } from '#domain/weights/index.ts';
import { sha256Of } from '#platform/sha256.ts';

const DIGEST_DIGITS = 8;
const ROWS_MAX = 200_000;

const name = z.string().max(253);
const count = z.number().min(0);
const Table = z.object({
  version: z.string().max(32),
  model: z.number(),
  learnedAt: z.iso.date(),
  base: z.string().max(32).optional(),
  reference: z.object({
    id: z.string().max(64),
    hosts: count,
    shipped: z.boolean(),
    scale: count.optional(),
  }),
  cells: z
    .array(
      z.object({
        source: name,
        group: z.enum(AGE_GROUPS),
        n: count,
        h: count,
        f: z.number().positive(),
        points: count,
        nights: count.optional(),
        asked: count.optional(),
        gone: z.object({ n: count, h: count }).optional(),
      }),
    )
    .max(ROWS_MAX),
  lists: z
    .array(
      z.object({
        source: name,
        lineage: name,
        category: name,
        class: z.enum(LIST_CLASSES),
        declared: z.boolean().optional(),
        share: count,
        judged: count,
        r30: count.nullable(),
        back30: count.nullable(),
        asked: z.object({ class: z.enum(LIST_CLASSES), nights: count }).optional(),
        topHits: count.optional(),
        alarm: count.optional(),
      }),
    )
    .max(ROWS_MAX),
  platforms: z.array(z.object({ suffix: name, size: count })).max(ROWS_MAX),
});

/** Reads the text of a table; throws where it is none. */
export const parseTable = (text: string): LearnedTable => Table.parse(JSON.parse(text)) as LearnedTable;

/** The first digits of the SHA-256 of the table's text. */
export const digestOf = (table: LearnedTable): string => sha256Of(textOfTable(table)).slice(0, DIGEST_DIGITS);

/** The name of a table in the artifact store. */
export const artifactOf = (digest: string): string => `weights-${digest}`;
