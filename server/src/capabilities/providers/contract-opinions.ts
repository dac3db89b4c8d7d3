import { z } from 'zod';

const timestamp = z.string().max(40).nullable();
const text = (max: number) => z.string().max(max);
const fetched = { source: text(64), fetchedAt: z.string().max(40) };

const Pulse = z.object({
  id: text(64),
  name: text(300),
  description: text(1_000),
  tags: z.array(text(100)).max(30),
  tlp: text(20).nullable(),
  modified: timestamp,
  references: z.array(text(500)).max(20),
  authorUsername: text(100).nullable(),
  subscriberCount: z.int().min(0).nullable(),
  pulseUrl: text(200),
});

export const PassiveDns = z.object({
  ...fetched,
  totalRecords: z.int().min(0),
  moreCount: z.int().min(0),
  records: z
    .array(
      z.object({
        hostname: text(256),
        address: text(256),
        recordType: text(16),
        firstSeen: timestamp,
        lastSeen: timestamp,
      }),
    )
    .max(50),
});
export type PassiveDns = z.infer<typeof PassiveDns>;

/** Community intelligence. The last three fields are present only at the level `full` (contract 2.4). */
export const Otx = z
  .object({
    ...fetched,
    pulseCount: z.int().min(0),
    moreCount: z.int().min(0),
    reputationScore: z.number().nullable(),
    pulses: z.array(Pulse).max(10),
    labsReputation: z
      .object({
        ...fetched,
        score: z.number().nullable(),
        countryName: text(100).nullable(),
        malwareSampleCount: z.int().min(0).nullable(),
        urlCount: z.int().min(0).nullable(),
      })
      .optional()
      .describe('Addresses at full.'),
    passiveDns: PassiveDns.optional().describe('Addresses and domains at full.'),
    fileAnalysis: z
      .object({
        ...fetched,
        fileClass: text(100).nullable(),
        fileType: text(200).nullable(),
        size: z.int().min(0).nullable(),
        yara: z.array(text(200)).max(20),
        plugins: z.array(text(200)).max(20),
        moreCount: z.int().min(0),
      })
      .optional()
      .describe('File hashes at full.'),
  })
  .meta({ id: 'CommunityIntel' });
export type Otx = z.infer<typeof Otx>;

/** The answer of a scanner of the safe-browsing type. No threats means no finding, not that the target is clean. */
export const ScannerVerdict = z.object({
  threats: z
    .array(z.enum(['malware', 'phishing', 'unwanted', 'abuse']))
    .max(4)
    .describe('Empty: it knows of none.'),
  matched: text(2_048).nullable(),
});
export type ScannerVerdict = z.infer<typeof ScannerVerdict>;

export const IntelOwlReport = z.object({
  status: z.enum(['accepted', 'completed', 'failed']),
  jobId: z.int().min(0).nullable(),
  analyzers: z.array(z.object({ name: text(100), status: text(40), report: z.unknown() })).max(100),
  summary: z.object({
    malicious: z.int().min(0),
    suspicious: z.int().min(0),
    clean: z.int().min(0),
    total: z.int().min(0),
  }),
});
export type IntelOwlReport = z.infer<typeof IntelOwlReport>;
