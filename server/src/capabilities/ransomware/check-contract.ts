import { z } from 'zod';
import { Basis } from './contract.ts';

const TEXT_MAX = 2_048;
/** A limit above the maximum is read as the maximum (decisions 1.6). */
const RESERVED_LIMIT_MAX = 100;
const flag = (what: string) =>
  z.enum(['true', 'false', '1', '0', '']).optional().describe(`${what} Reserved: read and not used.`);

/** A query that is not an address, a domain, a hash or a group is a keyword (G29). */
export const RansomwareQuery = z
  .object({
    query: z
      .string()
      .max(TEXT_MAX)
      .optional()
      .describe('IP address, domain, hash, group or part of a name; without it, statistics.')
      .meta({ examples: ['example.com'] }),
    type: z
      .enum(['stats', ''], { error: 'Use type=stats, or leave type out.' })
      .optional()
      .describe('`stats` asks for statistics, for any query.'),
    include_ttps: flag('With techniques.'),
    include_iocs: flag('With indicators.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .transform((limit) => Math.min(limit, RESERVED_LIMIT_MAX))
      .optional()
      .describe('Reserved: read and not used.'),
  })
  .transform(({ query, type }): RansomwareQuery => {
    const text = query?.trim() ?? '';
    return { text: text === '' ? null : text, isStats: text === '' || type === 'stats' };
  });
export type RansomwareQuery = { readonly text: string | null; readonly isStats: boolean };

const figure = z.int().min(0).nullable();
const loaded = z
  .boolean()
  .describe(
    'False: the data is not loaded on this service; `message` has the command that loads it. Beyond the contract.',
  );
const dataAsOf = z.iso
  .datetime()
  .nullable()
  .describe('Date of the newest loaded claim; null without claims. Beyond the contract.');
const RansomwareStats = z.object({
  query: z.string().max(TEXT_MAX).nullable(),
  queryType: z.literal('stats'),
  stats: z.object({
    totalVictims: figure,
    activeGroups: figure,
    attacksThisMonth: figure,
    attacksThisYear: figure,
  }),
  loaded,
  dataAsOf,
  inconclusive: z
    .boolean()
    .describe(
      'True: no claims are loaded, or the newest is older than 14 days. Figures that end today are then null. Beyond the contract.',
    ),
  message: z.string().max(800).describe('Beyond the contract.'),
});
const RansomwareEntity = z.object({
  query: z.string().max(TEXT_MAX),
  queryType: z.enum(['ip', 'domain', 'hash', 'group', 'keyword']),
  family: z
    .string()
    .max(100)
    .nullable()
    .describe('The family of a group with generations: its name finds all of them. Beyond the contract.'),
  found: z.boolean().nullable().describe('Null: nothing that could contain it is loaded on this service.'),
  loaded,
  matches: z
    .array(
      z.object({
        kind: z.enum(['victim', 'ioc', 'group']),
        name: z.string().max(300),
        group: z.string().max(100).nullable(),
        country: z.string().max(2).nullable(),
        countryBasis: Basis,
        sector: z.string().max(100).nullable(),
        sectorBasis: Basis,
        discoveredAt: z.string().max(40).nullable(),
      }),
    )
    .max(100)
    .describe(
      '`victim`: a group claims it. `ioc`: a list of ransomware indicators names it. `group`: it is a group.',
    ),
  total: figure.describe(
    'All claims that match; `matches` has the newest 100 at most. Null: not loaded. Beyond the contract.',
  ),
  groups: z.array(z.string().max(100)).max(100).describe('Groups of all matching claims.'),
  dataAsOf,
  message: z.string().max(800),
});
export type RansomwareEntity = z.infer<typeof RansomwareEntity>;
export const RansomwareReply = z.union([RansomwareStats, RansomwareEntity]).meta({ id: 'RansomwareLookup' });
export type RansomwareReply = z.infer<typeof RansomwareReply>;
