import { z } from 'zod';
import { TECHNIQUES } from '#domain/lookalike/index.ts';
import { SERVICE_KINDS } from '#domain/services/index.ts';
import { Evidence } from './contract-verdict.ts';

/** The named service that the indicator belongs to, as its operator publishes it (O53). */
export const Service = z
  .object({
    name: z.string().max(80),
    operator: z.string().max(80),
    kind: z
      .enum(SERVICE_KINDS)
      .describe('An `api` has strangers acting through it, so it is named and vouches for nothing.'),
  })
  .meta({ id: 'Service' });
export type Service = z.infer<typeof Service>;

/** The brand whose domain a look-alike imitates (O54). */
export const LookalikeReply = z
  .object({
    of: z.string().max(253).describe('The imitated domain.'),
    technique: z.enum(TECHNIQUES),
    detail: z.string().max(200).describe('One sentence.'),
  })
  .meta({ id: 'Lookalike' });
export type LookalikeReply = z.infer<typeof LookalikeReply>;

const ClaimOfGroup = z.object({
  group: z.string().max(100),
  family: z.string().max(100).nullable().describe('The family of a group with generations.'),
  victim: z.string().max(300).describe('As the claim names it.'),
  discoveredAt: z.string().max(40),
});

/** Claims of ransomware groups on the organization of a domain: context, without any weight. */
export const RansomwareClaims = z
  .object({
    domain: z.string().max(253).describe('The domain that the claims name.'),
    total: z.int().min(1),
    claims: z.array(ClaimOfGroup).max(10).describe('The newest first.'),
    note: z.string().max(300).describe('What a claim is, and what it is not.'),
  })
  .meta({ id: 'RansomwareClaims' });
export type RansomwareClaims = z.infer<typeof RansomwareClaims>;

/** Lists are cut at this length, `totalRelated` is not (decisions G6). */
export const RELATED_MAX = 50;
const timestamp = z.string().max(40).nullable();

/** Built from the history of our own lists (decisions G6). */
export const Timeline = z
  .object({
    firstSeen: timestamp.describe('Earliest sighting by a list that accuses it; null: none does or did.'),
    lastSeen: timestamp.describe('Latest such sighting.'),
    trend: z
      .enum(['rising', 'falling', 'stable'])
      .describe(
        'Of its score over the last 30 days: the last week against the first, 5 points make a difference.',
      ),
    totalDetections: z.int().min(0).describe('Lists that accuse it, or did within the last 30 days.'),
  })
  .meta({ id: 'Timeline' });
export type Timeline = z.infer<typeof Timeline>;

const RelatedEntity = z
  .object({
    value: z.string().max(256),
    type: z.enum(['ip', 'domain']),
    listed: z.boolean().describe('A threat list names it now. False is not "clean".'),
    verdict: Evidence.shape.verdict,
    word: z.string().describe('What the verdict is called; riskScore.word of a check. Beyond the contract.'),
    lastSeen: timestamp.describe(
      'When it was last seen to be related; null where a list alone says it exists.',
    ),
  })
  .meta({ id: 'RelatedEntity' });
export type RelatedEntity = z.infer<typeof RelatedEntity>;
const related = z.array(RelatedEntity).max(RELATED_MAX);

/** Only entities that are listed or were observed by our own lookups, newest first (decisions G6). */
export const RelatedInfrastructure = z
  .object({
    sameSubnet: related.describe('Listed addresses of the same /24, or IPv6 /48.'),
    sameASN: related.describe('Other listed addresses of the same announced range.'),
    sameRegistrar: related,
    sameNameserver: related,
    sharedCertificate: related,
    resolvedDomains: related.describe('Names seen to lead to the address, or to an address of the name.'),
    totalRelated: z.int().min(0).describe('How many there are in all, including those not shown.'),
    riskAssessment: z.object({
      level: z
        .enum(['unknown', 'low', 'medium', 'high'])
        .describe(
          'Of its surroundings; never part of the score. For an address the share of listed addresses in the announced range: medium from 0.5 %, high from 9.4 %. For names: medium when a related one is listed, high from half of them. The worst counts. Unknown: nothing related is known.',
        ),
      reason: z.string().max(300),
    }),
    fetchedAt: z.string().max(40),
  })
  .meta({ id: 'RelatedInfrastructure' });
export type RelatedInfrastructure = z.infer<typeof RelatedInfrastructure>;
