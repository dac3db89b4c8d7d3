import { parseArgs } from 'node:util';
import type { Credentials } from './wire.ts';

export const CLIENTS = ['opencti', 'sentinel', 'splunk', 'elastic', 'misp'] as const;
export type ClientName = (typeof CLIENTS)[number];

export type Options = {
  readonly url: URL;
  readonly credentials: Credentials;
  /** Ids of the collections to check; when empty, those that the server lists. */
  readonly collections: readonly string[];
  readonly pagesMax: number;
  readonly limit: number;
  readonly clients: readonly ClientName[];
  readonly twice: boolean;
  readonly json: boolean;
};

/** Thrown for wrong arguments; the message says what to do. */
export class Refusal extends Error {}

export const HELP = `TAXII_KEY=HEADER npm run taxii-check -- URL

Walks a TAXII 2.1 server and judges every answer and every STIX object by the standards. Exit code 1: a clause was broken.
It only reads. URL is the discovery resource, such as http://127.0.0.1:8080/taxii/, or an API root.

  --header 'NAME: VALUE'   a header that every request carries; TAXII_KEY is the value of X-API-KEY, which other users of
                           the machine cannot read from the list of processes
  --user NAME:PASSWORD     HTTP Basic, as most clients send it; or TAXII_USER
  --collection ID          only this collection, also one that the server does not list; may be repeated
  --max-pages N            stop a walk after N pages (default 10000)
  --limit N                objects a page (default 100)
  --as NAME                replay opencti, sentinel, splunk, elastic, misp, all (default) or none; may be repeated
  --twice                  walk everything again at the end: an unchanged server dates nothing anew
  --json                   print one JSON document
`;

const PAGES_MAX = 10_000;
const LIMIT = 100;

/** Reads the arguments; returns null for `--help`. */
export function readOptions(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Options | null {
  const { values, positionals } = parse(argv);
  if (values.help) return null;
  const [address, ...others] = positionals;
  if (address === undefined || others.length > 0) throw new Refusal(`Send one URL.\n\n${HELP}`);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Refusal(`'${address}' is no address. Send one such as http://127.0.0.1:8080/taxii/.`);
  if (url.username !== '' || url.password !== '')
    throw new Refusal('Send the credential with --user, not inside the URL.');
  return {
    url,
    credentials: credentialsOf(values.header, values.user ?? environment.TAXII_USER, environment.TAXII_KEY),
    collections: values.collection ?? [],
    pagesMax: wholeNumber('--max-pages', values['max-pages'], PAGES_MAX),
    limit: wholeNumber('--limit', values.limit, LIMIT),
    clients: clientsOf(values.as ?? ['all']),
    twice: values.twice ?? false,
    json: values.json ?? false,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        header: { type: 'string' },
        user: { type: 'string' },
        collection: { type: 'string', multiple: true },
        'max-pages': { type: 'string' },
        limit: { type: 'string' },
        as: { type: 'string', multiple: true },
        twice: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
}

function credentialsOf(
  header: string | undefined,
  user: string | undefined,
  key: string | undefined,
): Credentials {
  const colon = header?.indexOf(':') ?? -1;
  if (header !== undefined && colon < 1)
    throw new Refusal(`--header is '${header}'. Send a name and a value, such as 'X-API-KEY: abc'.`);
  const userColon = user?.indexOf(':') ?? -1;
  if (user !== undefined && userColon < 1)
    throw new Refusal('--user: Send a name and a password, NAME:PASSWORD.');
  const given =
    header === undefined ? null : ([header.slice(0, colon), header.slice(colon + 1).trim()] as const);
  return {
    header: given ?? (key === undefined ? null : ['X-API-KEY', key]),
    user: user === undefined ? null : { name: user.slice(0, userColon), password: user.slice(userColon + 1) },
  };
}

function wholeNumber(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Refusal(`${option} is '${text}'. Send a whole number from 1 on.`);
  return Number(text);
}

function clientsOf(names: readonly string[]): readonly ClientName[] {
  const unknown = names.filter((name) => name !== 'all' && name !== 'none' && !isClient(name));
  if (unknown.length > 0)
    throw new Refusal(`--as is '${unknown.join("', '")}'. Send ${CLIENTS.join(', ')}, all or none.`);
  return names.includes('all') ? CLIENTS : CLIENTS.filter((name) => names.includes(name));
}

const isClient = (name: string): name is ClientName => CLIENTS.some((client) => client === name);
