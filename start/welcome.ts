import { LIVE_HINT } from '../server/src/app/live-hint.ts';
import type { Started } from './run-start.ts';

const NEW_KEY = 'npm run -s admin -- key create --email you@example.com';

/** What a person needs once the service is ready: where it is, how to sign in, and what to do next. */
export function welcome(started: Started, seconds: string): string {
  const { url, hasDashboard, config, generatedFile, logs } = started;
  return `
Assay is ready after ${seconds} seconds.

  Dashboard      ${hasDashboard ? `${url}/app/sign-in?with=key` : 'not built: run npm ci, then npm start again'}
${keyLines(started)}
  API reference  ${url}/docs
  Settings       .env in this folder, listed in .env.example (docs/operating/configuration.md)
  Secrets        ${generatedFile}: keep a copy with your backups
  Logs           ${logs}/api.log, ${logs}/worker.log

Next, in a second terminal: import a list of your own${started.key === null ? '' : ' and check a value'}.

  printf '203.0.114.7\\nbad.example.com\\n' > my-list.txt
  npm run -s admin -- feeds import my-list my-list.txt --category c2 --grade A
${checkLines(started)}
${feedsLine(config.FEEDS_ENABLED)}
${config.LIVE_PROVIDERS.length === 0 ? LIVE_HINT : `Live lookups are on: ${config.LIVE_PROVIDERS.join(', ')}. What each service learns: docs/operating/live-lookups.md`}

Ctrl-C stops Assay. The data stays, and npm start continues with it.
`;
}

function keyLines({ key, hasForeignKeys }: Started): string {
  if (key === null) return `  API key        yours; to create another one: ${NEW_KEY}`;
  const foreign = hasForeignKeys
    ? `  Older keys     they do not work: they were created with the secrets of another data folder\n`
    : '';
  return `${foreign}  API key        ${key.apiKey}
  API secret     ${key.apiSecret}   (shown only once)`;
}

/** A first request; the key is a variable, so that further commands of README work in the same terminal. */
const checkLines = ({ key, url }: Started): string =>
  key === null
    ? ''
    : `
  export ASSAY_KEY='${key.header}'
  curl -H "X-API-KEY: $ASSAY_KEY" '${url}/check?query=203.0.114.7'
`;

const feedsLine = (isEnabled: boolean): string =>
  isEnabled
    ? 'The worker now downloads the public lists of the catalog that are on by default. To download none: FEEDS_ENABLED=false'
    : 'FEEDS_ENABLED is false: no public list is downloaded, and lists come by import only.';
