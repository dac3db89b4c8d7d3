import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type ModalPeer, startModalPeer } from './peer-mode.ts';

export type ScannerPeer = ModalPeer & {
  readonly headers: readonly IncomingHttpHeaders[];
  /** Lists one expression (`evil.example/`, `evil.example/page.html`) from now on. */
  readonly list: (expression: string, threatType: string, attributes?: readonly string[]) => void;
  readonly unlist: (expression: string) => void;
  /** Settings of the next answers other than listings. */
  readonly set: (manner: Partial<Manner>) => void;
  readonly asked: readonly (readonly string[])[];
};
type Manner = {
  readonly cacheDuration: string;
  readonly isProtobuf: boolean;
  readonly status: number;
  readonly body: string | null;
};
type Listing = { readonly type: string; readonly attributes: readonly string[] };

const TYPES = ['', 'MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE', 'POTENTIALLY_HARMFUL_APPLICATION'];
const ATTRIBUTES = ['', 'CANARY', 'FRAME_ONLY'];
const hashOf = (expression: string): string => createHash('sha256').update(expression).digest('hex');

/** A scanner of the Safe Browsing type, version 5: full hashes by prefix, in JSON or as protocol buffers. */
export async function startScannerPeer(where: { readonly port?: number } = {}): Promise<ScannerPeer> {
  const headers: IncomingHttpHeaders[] = [];
  const asked: string[][] = [];
  const listings = new Map<string, Listing[]>();
  let manner: Manner = { cacheDuration: '300s', isProtobuf: false, status: 200, body: null };
  const peer = await startModalPeer((request, response) => {
    headers.push(request.headers);
    const url = new URL(request.url ?? '', 'http://peer');
    const prefixes = url.searchParams.getAll('hashPrefixes').map((text) => Buffer.from(text, 'base64'));
    asked.push(prefixes.map((prefix) => prefix.toString('hex')));
    const isQuestion = url.pathname === '/v5/hashes:search' && prefixes.every(({ length }) => length === 4);
    const found = [...listings].filter(([hash]) =>
      prefixes.some((prefix) => hash.startsWith(prefix.toString('hex'))),
    );
    const type = manner.isProtobuf ? 'application/x-protobuf' : 'application/json; charset=UTF-8';
    response
      .writeHead(isQuestion ? manner.status : 400, { 'content-type': type, 'retry-after': '60' })
      .end(manner.body ?? (manner.isProtobuf ? asProtobuf : asJson)(found, manner.cacheDuration));
  }, where);
  return Object.assign(peer, {
    headers,
    asked,
    list: (expression: string, type: string, attributes: readonly string[] = []) => {
      const hash = hashOf(expression);
      listings.set(hash, [...(listings.get(hash) ?? []), { type, attributes }]);
    },
    unlist: (expression: string) => {
      listings.delete(hashOf(expression));
    },
    set: (different: Partial<Manner>) => {
      manner = { ...manner, ...different };
    },
  });
}

type Found = readonly (readonly [string, readonly Listing[]])[];

const asJson = (found: Found, cacheDuration: string): string =>
  JSON.stringify({
    ...(found.length === 0
      ? {}
      : {
          fullHashes: found.map(([hash, details]) => ({
            fullHash: Buffer.from(hash, 'hex').toString('base64'),
            fullHashDetails: details.map(({ type, attributes }) => ({
              threatType: type,
              ...(attributes.length === 0 ? {} : { attributes }),
            })),
          })),
        }),
    cacheDuration,
  });

function asProtobuf(found: Found, cacheDuration: string): Buffer {
  const seconds = Number.parseInt(cacheDuration, 10);
  const hashes = found.map(([hash, details]) =>
    field(1, [
      ...field(1, [...Buffer.from(hash, 'hex')]),
      ...details.flatMap(({ type, attributes }) =>
        field(2, [
          0x08,
          ...varint(TYPES.indexOf(type)),
          ...(attributes.length === 0
            ? []
            : field(
                2,
                attributes.flatMap((attribute) => varint(ATTRIBUTES.indexOf(attribute))),
              )),
        ]),
      ),
    ]),
  );
  return Buffer.from([...hashes.flat(), ...field(2, [0x08, ...varint(seconds)])]);
}

const field = (number: number, bytes: readonly number[]): number[] => [
  number * 8 + 2,
  ...varint(bytes.length),
  ...bytes,
];

function varint(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  while (left > 127) {
    bytes.push((left % 128) + 128);
    left = Math.floor(left / 128);
  }
  return [...bytes, left];
}
