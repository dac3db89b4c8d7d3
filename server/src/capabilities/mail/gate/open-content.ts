import { GATE_LIMITS, readContent } from '#domain/gate/index.ts';
import { badRequest, ServiceError } from '#platform/errors.ts';
import { type OpenedBody, readJson } from '../open-body.ts';
import { ContentBody } from './contract.ts';
import { NOT_A_WEB_ADDRESS, readSource } from './read-source.ts';

/** Reads the body of POST /gate/scan, and throws its 400 or 413. */
export function openContent(bytes: Uint8Array): OpenedBody<'content'> {
  const { content, source_url, sourceUrl, mode = 'fast' } = readJson(bytes, ContentBody);
  if (source_url !== undefined && sourceUrl !== undefined)
    throw badRequest('source_url and sourceUrl are the same field. Send one of them.');
  if (Buffer.byteLength(content) > GATE_LIMITS.contentBytesMax)
    throw new ServiceError('Payload Too Large', 'The content is larger than 1 MiB.');
  const given = source_url ?? sourceUrl;
  const source = given === undefined ? null : readSource(given);
  if (given !== undefined && source === null) throw badRequest(`source_url: ${NOT_A_WEB_ADDRESS}`);
  return {
    context: { mode, source },
    read: async () => ({ ...readContent(content, mode), content }),
  };
}
