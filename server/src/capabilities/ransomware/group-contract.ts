import { z } from 'zod';
import {
  conclusionFields,
  disclaimer,
  family,
  figure,
  limitOf,
  loadedFields,
  timestamp,
} from './contract.ts';

const GROUP_TEXT_MAX = 100;

export const GroupProfileQuery = z.object({
  group: z
    .string({ error: 'Name a group, such as akira.' })
    .max(GROUP_TEXT_MAX)
    .refine((text) => text.trim() !== '', 'Name a group, such as akira.')
    .describe('Name of a group, or another name that a source gives it.')
    .meta({ examples: ['akira'] }),
});
export const GroupsQuery = z.object({
  limit: limitOf(100, 500),
  sort: z
    .enum(['victims', 'activity'])
    .default('victims')
    .describe('`activity`: by claims in 30 days; without any claim loaded as `victims`.'),
});

export const GROUP_STATUSES = ['active', 'inactive', 'seized'] as const;
export type GroupStatus = (typeof GROUP_STATUSES)[number];
const status = z
  .enum(GROUP_STATUSES)
  .nullable()
  .describe(
    '`seized`: a source says that authorities hold its sites. `active`: a claim in 90 days. Null: no claims are loaded, or they are too old to call a group inactive.',
  );
const victimsOfGroup = figure.describe('Null: no claims are loaded on this service.');

const generations = z
  .array(
    z.object({
      name: z.string(),
      victims: victimsOfGroup,
      firstClaimAt: timestamp.nullable(),
      lastClaimAt: timestamp.nullable(),
    }),
  )
  .max(50)
  .describe('Names that a family published under, each with its own claims. Beyond the contract.');

export type Generations = z.infer<typeof generations>;

export const Groups = z
  .object({
    groups: z
      .array(
        z.object({
          name: z.string(),
          family: family.describe(
            'Of a group with generations, which are one entry with the totals of all. Beyond the contract.',
          ),
          generations,
          victims: victimsOfGroup,
          status,
          countries: z.array(z.string()).max(10),
          sectors: z.array(z.string()).max(10),
          claims30d: figure.optional().describe('Null, as the next, where the claims are old.'),
          claimsPrev30d: figure.optional(),
          lastClaimAt: timestamp.optional(),
          firstClaimAt: timestamp
            .optional()
            .describe('This and the three before are there for a group with claims, and absent for another.'),
        }),
      )
      .max(500),
    total: figure,
    activity: z.boolean().describe('Whether claims are loaded.'),
    ...conclusionFields,
    ...loadedFields,
    disclaimer,
  })
  .meta({ id: 'RansomwareGroups' });
export type Groups = z.infer<typeof Groups>;

export const GroupProfileReply = z
  .object({
    name: z.string(),
    family: family.describe('The family that this group is, or is a generation of. Beyond the contract.'),
    generations,
    aliases: z.array(z.string()).max(100).describe('Only names that a source gives.'),
    description: z.string().nullable(),
    status,
    firstSeen: timestamp.nullable().describe('First claim.'),
    lastSeen: timestamp.nullable().describe('Last claim.'),
    victims: victimsOfGroup,
    victims30d: figure.describe('Null: no claims are loaded, or they are old.'),
    countries: z.array(z.string()).max(20),
    sectors: z.array(z.string()).max(20),
    locations: z
      .array(
        z.object({
          fqdn: z.string().describe('Defanged.'),
          available: z.boolean().nullable(),
          lastCheckedAt: timestamp.nullable(),
        }),
      )
      .max(100),
    ttps: z
      .array(
        z.object({
          tacticId: z.string().nullable().describe('Null while no ATT&CK data is loaded here.'),
          tactic: z.string().nullable(),
          techniqueId: z.string(),
          technique: z.string(),
        }),
      )
      .max(200),
    tools: z.array(z.string()).max(100).describe('Empty: no source of this service names tools.'),
    cves: z.array(z.string()).max(100).describe('Empty: no source of this service names vulnerabilities.'),
    notes: z
      .boolean()
      .nullable()
      .describe('A source keeps ransom notes of it. Null: no source of groups is loaded on this service.'),
    references: z.array(z.string()).max(100).describe('Pages about the group; never its own.'),
    ...conclusionFields,
    ...loadedFields,
    disclaimer,
  })
  .meta({ id: 'RansomwareGroupProfile' });
export type GroupProfileReply = z.infer<typeof GroupProfileReply>;
