import { z } from 'zod';
import { inertText } from '#domain/text/inert-text.ts';
import type { Otx, PassiveDns } from '../contract-opinions.ts';
import { inertTexts } from './read-general.ts';
import { utcTime } from './utc-time.ts';

type Fetched = Pick<Otx, 'source' | 'fetchedAt'>;

const RECORDS_MAX = 50;
const EXCERPT_MAX = 20;
const count = z.int().min(0);
const anything = z.unknown().optional();

const ToldDns = z.object({ passive_dns: z.array(z.unknown()), count: count.optional().catch(undefined) });
const ToldRecord = z.object({
  hostname: anything,
  address: anything,
  record_type: anything,
  first: anything,
  last: anything,
});

/** Newest first. This is the passive DNS of OTX: it is shown, but never recorded as observed here. */
export function readPassiveDns(json: unknown, fetched: Fetched): PassiveDns | undefined {
  const told = ToldDns.safeParse(json);
  if (!told.success) return undefined;
  const listed = told.data.passive_dns;
  const totalRecords = Math.max(told.data.count ?? 0, listed.length);
  const records = listed
    .flatMap((each) => {
      const record = ToldRecord.safeParse(each);
      return record.success ? readRecord(record.data) : [];
    })
    .sort((a, b) => (b.lastSeen ?? '').localeCompare(a.lastSeen ?? ''))
    .slice(0, RECORDS_MAX);
  return { ...fetched, totalRecords, moreCount: totalRecords - records.length, records };
}

function readRecord(told: z.infer<typeof ToldRecord>): PassiveDns['records'] {
  const hostname = inertText(told.hostname, 256);
  const address = inertText(told.address, 256);
  if (hostname === null || address === null) return [];
  return [
    {
      hostname,
      address,
      recordType: inertText(told.record_type, 16) ?? '',
      firstSeen: utcTime(told.first),
      lastSeen: utcTime(told.last),
    },
  ];
}

const ToldReputation = z.object({
  reputation: z
    .object({ threat_score: z.number().nullable().catch(null), country: anything })
    .nullable()
    .catch(null),
});
const ToldMalware = z.object({
  count: count.optional().catch(undefined),
  size: count.optional().catch(undefined),
});
const ToldUrls = z.object({
  full_size: count.optional().catch(undefined),
  actual_size: count.optional().catch(undefined),
});

export type LabsAnswers = {
  readonly reputation: unknown;
  readonly malware: unknown;
  readonly urls: unknown;
  readonly countryName: string | null;
};

/** An unavailable count is null, because 0 would mean that there are none. */
export function readLabsReputation(answers: LabsAnswers, fetched: Fetched): Otx['labsReputation'] {
  const told = ToldReputation.safeParse(answers.reputation);
  if (!told.success) return undefined;
  const malware = ToldMalware.safeParse(answers.malware).data;
  const urls = ToldUrls.safeParse(answers.urls).data;
  return {
    ...fetched,
    score: told.data.reputation?.threat_score ?? null,
    countryName: answers.countryName ?? inertText(told.data.reputation?.country, 100),
    malwareSampleCount: malware?.count ?? malware?.size ?? null,
    urlCount: urls?.full_size ?? urls?.actual_size ?? null,
  };
}

const size = z
  .union([count, z.string().regex(/^\d{1,15}$/)])
  .nullable()
  .catch(null);
const ToldAnalysis = z.object({
  analysis: z
    .object({
      info: z
        .object({
          results: z.object({ file_class: anything, file_type: anything, filesize: size }),
        })
        .nullable()
        .catch(null),
      plugins: z.record(z.string(), z.unknown()).catch({}),
    })
    .nullable(),
});
const ToldYara = z.object({
  results: z.object({ detection: z.array(z.object({ rule_name: anything }).catch({ rule_name: null })) }),
});

/** An excerpt, capped (G12). `analysis` is null for a file that OTX does not have. */
export function readFileAnalysis(json: unknown, fetched: Fetched): Otx['fileAnalysis'] {
  const analysis = ToldAnalysis.safeParse(json).data?.analysis;
  if (analysis === undefined || analysis === null) return undefined;
  const results = analysis.info?.results;
  const plugins = Object.keys(analysis.plugins);
  const rules = ToldYara.safeParse(analysis.plugins.yarad).data?.results.detection ?? [];
  const shown = {
    yara: inertTexts(
      rules.map((rule) => rule.rule_name),
      EXCERPT_MAX,
      200,
    ),
    plugins: inertTexts(plugins, EXCERPT_MAX, 200),
  };
  return {
    ...fetched,
    fileClass: inertText(results?.file_class, 100),
    fileType: inertText(results?.file_type, 200),
    size: results?.filesize === null || results === undefined ? null : Number(results.filesize),
    ...shown,
    moreCount: Math.max(0, rules.length - EXCERPT_MAX) + Math.max(0, plugins.length - EXCERPT_MAX),
  };
}
