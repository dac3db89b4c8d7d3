import { createReadStream } from 'node:fs';
import type { Publications } from '#capabilities/publications/index.ts';
import { unavailable } from '#platform/errors.ts';
import { etagOf, isUnchanged } from '#platform/http/conditional.ts';
import { KEYED } from '#platform/http/policy.ts';
import { type Call, NO_BODY, type PreparedBody, type Route, route } from '#platform/http/route.ts';
import { sendBytes } from '#platform/http/send-bytes.ts';
import { DATABASE_TYPE, DESCRIPTION } from './build-mmdb.ts';
import { MmdbFile, MmdbInfo, RECORD_FIELDS } from './contract.ts';
import type { Mmdb } from './open-mmdb.ts';

export type MmdbDeps = {
  readonly mmdb: Pick<Mmdb, 'find'>;
  /** Why the database is missing. */
  readonly publications: Pick<Publications, 'whyMissing'>;
};

const TAGS = ['mmdb'];
const CACHE = 'private, no-cache';
const TAG_DIGITS = 32;
/** A slow line may take minutes; a reader that takes nothing for 20 s is given up by the transport. */
const DOWNLOAD_DEADLINE_MS = 900_000;
const BINARY = 'application/octet-stream';

export const mmdbRoutes = (deps: MmdbDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/mmdb/info',
    summary: 'What the address database holds, and when it was built.',
    description:
      'The names of the MaxMind DB format. Compare `sha256` with your file before you download again.',
    tags: TAGS,
    policy: KEYED,
    conditional: true,
    reply: MmdbInfo,
    handle: (call) => {
      const info = infoOf(deps);
      return isUnchanged(call, etagOf(JSON.stringify(info)), CACHE) ? NO_BODY : info;
    },
  }),
  route({
    method: 'GET',
    path: '/mmdb/download',
    summary: 'The addresses and ranges of the shared list with their scores, as a MaxMind DB file.',
    description:
      'From PRO on. Both families in one tree. An address within a listed range has the score that a check of it would give from the same sources; an address without a record is not on the list. Send the ETag of your file as If-None-Match, and Range to go on with a download that broke off.',
    tags: TAGS,
    policy: { ...KEYED, plan: 'PRO', called: 'The address database', deadlineMs: DOWNLOAD_DEADLINE_MS },
    conditional: true,
    ranges: true,
    reply: MmdbFile,
    produces: BINARY,
    replyHeaders: { 'Content-Disposition': 'attachment; filename="assay.mmdb"' },
    handle: (call) => download(deps, call),
  }),
];

async function refuseUnbuilt(publications: MmdbDeps['publications']) {
  const { message, retryAfterS } = await publications.whyMissing('mmdb');
  return unavailable(`The address database is not published yet. ${message}`, retryAfterS);
}

async function download(
  { mmdb, publications }: MmdbDeps,
  call: Pick<Call, 'request' | 'reply'>,
): Promise<PreparedBody> {
  const found = mmdb.find();
  if (found === null) throw await refuseUnbuilt(publications);
  const { file, metadata } = found;
  const etag = `"${file.sha256.slice(0, TAG_DIGITS)}"`;
  const modified = metadata.buildEpoch.toUTCString();
  call.reply
    .header('last-modified', modified)
    .header('content-disposition', 'attachment; filename="assay.mmdb"');
  if (isUnchanged(call, etag, CACHE)) return NO_BODY;
  call.reply.header('content-type', BINARY);
  const kept = await found.bytes();
  return sendBytes(call, file.bytes, { etag, modified }, ({ start, end }) =>
    kept === null ? createReadStream(file.path, { start, end }) : kept.subarray(start, end + 1),
  );
}

function infoOf({ mmdb }: MmdbDeps): MmdbInfo {
  const found = mmdb.find();
  return {
    available: found !== null,
    databaseType: found?.metadata.databaseType ?? DATABASE_TYPE,
    description: { en: DESCRIPTION },
    languages: ['en'],
    binaryFormatMajorVersion: 2,
    binaryFormatMinorVersion: 0,
    buildEpoch: found === null ? null : Math.floor(found.metadata.buildEpoch.getTime() / 1_000),
    ipVersion: 6,
    nodeCount: found?.metadata.nodeCount ?? null,
    recordSize: found?.metadata.recordSize ?? null,
    sizeBytes: found?.file.bytes ?? null,
    sha256: found?.file.sha256 ?? null,
    schema: [...RECORD_FIELDS],
  };
}
