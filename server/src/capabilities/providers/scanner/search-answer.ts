import { z } from 'zod';
import type { ScannerVerdict } from '../contract-opinions.ts';
import { unreadable } from '../service-failure.ts';

export type Threat = ScannerVerdict['threats'][number];

export type SearchAnswer = {
  readonly threatsOf: ReadonlyMap<string, readonly Threat[]>;
  /** The answer had no hash at all, not even an unusable one. */
  readonly isSilent: boolean;
  readonly cacheMs: number;
};

export type Detail = { readonly type: string; readonly attributes: readonly string[] };
export type WireAnswer = {
  readonly hashes: readonly { readonly hash: Buffer; readonly details: readonly Detail[] }[];
  readonly cacheMs: number;
};

/**
 * Potentially harmful applications count as malware. A detail with an unknown type is ignored as a whole, as
 * the protocol requires of clients.
 */
const THREATS: ReadonlyMap<string, Threat> = new Map([
  ['MALWARE', 'malware'],
  ['POTENTIALLY_HARMFUL_APPLICATION', 'malware'],
  ['SOCIAL_ENGINEERING', 'phishing'],
  ['UNWANTED_SOFTWARE', 'unwanted'],
  ['TRICK_TO_BILL', 'abuse'],
]);
const HASH_BYTES = 32;
const FULL_HASHES_MAX = 10_000;
const DETAILS_MAX = 50;

/** Ignores details with attributes: CANARY is not to be enforced, FRAME_ONLY not on pages, others are unknown. */
const threatOf = ({ type, attributes }: Detail): readonly Threat[] => {
  const threat = THREATS.get(type);
  return threat === undefined || attributes.length > 0 ? [] : [threat];
};

export function searchAnswerOf({ hashes, cacheMs }: WireAnswer): SearchAnswer {
  const threatsOf = new Map<string, readonly Threat[]>();
  for (const { hash, details } of hashes) {
    const threats = details.flatMap(threatOf);
    if (hash.length !== HASH_BYTES || threats.length === 0) continue;
    const key = hash.toString('hex');
    threatsOf.set(key, [...new Set([...(threatsOf.get(key) ?? []), ...threats])]);
  }
  return { threatsOf, isSilent: hashes.length === 0, cacheMs };
}

const Json = z.object({
  fullHashes: z
    .array(
      z.object({
        fullHash: z.string().max(64),
        fullHashDetails: z
          .array(
            z.object({
              threatType: z.string().max(100),
              attributes: z.array(z.string().max(100)).max(DETAILS_MAX).optional(),
            }),
          )
          .max(DETAILS_MAX)
          .optional(),
      }),
    )
    .max(FULL_HASHES_MAX)
    .optional(),
  cacheDuration: z
    .string()
    .regex(/^\d{1,12}(?:\.\d{1,9})?s$/)
    .optional(),
});

export function readJsonAnswer(called: string, body: Buffer): WireAnswer {
  const parsed = Json.safeParse(parseJson(body));
  if (!parsed.success) throw unreadable(called);
  return {
    hashes: (parsed.data.fullHashes ?? []).map(({ fullHash, fullHashDetails }) => ({
      hash: Buffer.from(fullHash, 'base64'),
      details: (fullHashDetails ?? []).map(({ threatType, attributes }) => ({
        type: threatType,
        attributes: attributes ?? [],
      })),
    })),
    cacheMs: Number.parseFloat(parsed.data.cacheDuration ?? '0') * 1_000,
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
