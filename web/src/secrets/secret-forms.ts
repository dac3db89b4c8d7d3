import type { RevealedApiKey } from '@assay/sdk';
import { shellQuoted } from '../words/shell-quoted.ts';

export type KeyPair = Pick<RevealedApiKey, 'apiKey' | 'apiSecret' | 'authHeader'>;
export type SecretForm = { readonly title: string; readonly text: string; readonly note: string };

/** The address of the example request: a Tor exit, whose answer has sources and reasons to look at. */
const FIRST_QUERY = '185.220.101.1';

/** The forms in which programs take a key pair. */
export function secretForms(pair: KeyPair, apiUrl: string): readonly SecretForm[] {
  const { apiKey, apiSecret, authHeader } = pair;
  const url = apiUrl.replace(/\/+$/, '');
  return [
    { title: 'Header', text: authHeader, note: 'X-API-KEY: base64(apiKey:apiSecret)' },
    {
      title: '.env',
      text: `ASSAY_URL=${url}\nASSAY_KEY=${authHeader.replace(/^X-API-KEY: /, '')}\n`,
      note: 'The names that the examples of the SDK and the copied curl commands read.',
    },
    {
      title: 'Basic pair',
      text: `${apiKey}:${apiSecret}`,
      note: 'HTTP Basic: apiKey as the user, apiSecret as the password.',
    },
    {
      title: 'First curl',
      text: firstCurl(authHeader, url),
      note: `Checks ${FIRST_QUERY} and costs one check. The line holds the secret, and a shell may keep it in its history.`,
    },
  ];
}

const firstCurl = (authHeader: string, url: string): string =>
  [
    `curl -sSG ${shellQuoted(`${url}/check`)}`,
    `-H ${shellQuoted(authHeader)}`,
    `--data-urlencode ${shellQuoted(`query=${FIRST_QUERY}`)}`,
  ].join(' ');
