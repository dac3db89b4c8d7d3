import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Failure } from '#platform/http/route.ts';
import { TaxiiError } from './contract.ts';

export const TAXII_TYPE = 'application/taxii+json;version=2.1';
export const STIX_TYPE = 'application/stix+json;version=2.1';

/** Any other Accept, or none, gets the STIX type; never 406 (decisions 3.6). */
export const acceptsTaxii = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  (headers.accept ?? '').toLowerCase().includes('application/taxii+json');

export const typeFor = (request: Pick<FastifyRequest, 'headers'>): string =>
  acceptsTaxii(request) ? TAXII_TYPE : STIX_TYPE;

/** Sets the media type that the caller accepts. */
export function negotiate(request: FastifyRequest, reply: FastifyReply): void {
  const had = reply.getHeader('vary');
  reply
    .header('content-type', typeFor(request))
    .header('vary', had === undefined ? 'Accept' : `${String(had)}, Accept`);
}

/** Errors in the form of TAXII 2.1 section 3.6.1, with the fields of every other error (decisions 3.6). */
export const TAXII_FAILURE: Failure = {
  mediaTypes: [STIX_TYPE, TAXII_TYPE],
  schema: TaxiiError,
  render: (error, request) => ({
    mediaType: typeFor(request),
    vary: 'Accept',
    body: { title: error.code, description: error.message, http_status: String(error.status) },
  }),
};
