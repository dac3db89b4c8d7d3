const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  gif: 'image/gif',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json; charset=utf-8',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xml: 'application/xml; charset=utf-8',
};
/** Browsers only recognise OpenSearch descriptions by this type. */
const OPENSEARCH = 'application/opensearchdescription+xml; charset=utf-8';
const UNKNOWN = 'application/octet-stream';

/** Compressed formats would only grow. */
const COMPRESSED = /^(?:font\/woff2?|image\/(?:gif|jpeg|png|webp))$/;

const extensionOf = (name: string): string => /\.([a-z0-9]+)$/.exec(name)?.[1] ?? '';

export const isFileName = (name: string): boolean => MEDIA_TYPES[extensionOf(name)] !== undefined;

export const mediaTypeOf = (name: string): string =>
  name.endsWith('opensearch.xml') ? OPENSEARCH : (MEDIA_TYPES[extensionOf(name)] ?? UNKNOWN);

export const isCompressible = (mediaType: string): boolean => !COMPRESSED.test(mediaType);
