export type KeyPair = { readonly apiKey: string; readonly apiSecret: string };

/** No colon: the credential has exactly one, between its parts (contract 5). */
const PART = /^[\x21-\x39\x3b-\x7e]{1,256}$/;
const HEADER = /^[A-Za-z0-9+/]{4,1024}={0,2}$/;

/** The X-API-KEY header of a key. Errors describe a wrong key without quoting it. */
export function credentialOf(key: KeyPair | string): string {
  if (typeof key === 'string') {
    if (HEADER.test(key)) return key;
    throw new TypeError(
      'key must be a pair {apiKey, apiSecret}, or the header made of it: base64(apiKey:apiSecret).',
    );
  }
  if (!PART.test(key.apiKey) || !PART.test(key.apiSecret))
    throw new TypeError('apiKey and apiSecret must be given as they were shown: no spaces, no colon.');
  return btoa(`${key.apiKey}:${key.apiSecret}`);
}
