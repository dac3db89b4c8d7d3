import type { SourceFile } from './scan-source.ts';

/** An address of this service that a text names, with the method where the text has one. */
export type NamedAddress = {
  readonly path: string;
  readonly line: number;
  readonly method: string | null;
  readonly address: string;
};

export type Served = (address: NamedAddress) => boolean;

const METHOD_AND_PATH = /\b(GET|POST|PUT|PATCH|DELETE|HEAD) (\/[\w{}:$./*-]*)/g;
const PAGE = /(?:(?<![\w./])|(?<=https?:\/\/[\w.:-]{1,80}))\/app(?:\/[\w{}:$./*-]*)?/g;

/** Routes that a text names with their method (`POST /cases`), and pages of the dashboard (`/app/keys`). */
export function namedAddressesOf({ path, text }: SourceFile): readonly NamedAddress[] {
  const lineAt = (index: number): number => text.slice(0, index).split('\n').length;
  const routes = [...text.matchAll(METHOD_AND_PATH)].map(({ index, 1: method = '', 2: address = '' }) => ({
    path,
    line: lineAt(index),
    method,
    address: bare(address),
  }));
  const pages = [...text.matchAll(PAGE)].map(({ index, 0: address }) => ({
    path,
    line: lineAt(index),
    method: null,
    address: bare(address),
  }));
  return [...routes, ...pages];
}

/** Without the full stop or the bold mark after it, and without a brace that belongs to the text around it. */
function bare(address: string): string {
  const open = address.split('{').length;
  const text = address.replace(/(?<=.)[.:*]+$/, '');
  return text.endsWith('}') && open < address.split('}').length ? text.slice(0, -1) : text;
}

/** Whether the table of routes or the dashboard's list of screens has the address; a variable part matches any segment. */
export function servedBy(routesPage: string, screensSource: string): Served {
  // A row of the operators' listener has no surface.
  const routes = [...routesPage.matchAll(/^\| (\w+) \| `([^`]+)` \|(?: (\w+) \|)? /gm)].flatMap(
    ([, method = '', path = '', surface]) =>
      [
        ...(surface === 'web' ? [] : [path]),
        ...(surface === 'web' || surface === 'both' ? [`/api${path}`] : []),
      ].map((address) => ({ method, address })),
  );
  const screens = [...screensSource.matchAll(/\bpath: '([^']+)'/g)].map((match) => `/app${match[1] ?? ''}`);
  const pages = ['/', '/app', '/app/', ...screens];
  return ({ method, address }) =>
    address.startsWith('/app')
      ? address.startsWith('/app/assets') || pages.some((page) => isSame(page, address))
      : routes.some(
          (route) =>
            (route.method === method || (method === 'HEAD' && route.method === 'GET')) &&
            isSame(route.address, address),
        );
}

function isSame(template: string, address: string): boolean {
  const wanted = template.split('/');
  const given = address.split('/');
  if (wanted.at(-1) === '*') return given.length >= wanted.length;
  return (
    wanted.length === given.length &&
    wanted.every(
      (part, at) => part === given[at] || part.startsWith(':') || /[{$:]|^\.\.\.$/.test(given[at] ?? ''),
    )
  );
}

/** URLs of this service in a sample answer: samples call its hosts api.example.com and app.example.com. */
export function ownUrlsOf({ path, text }: SourceFile): readonly NamedAddress[] {
  return [...text.matchAll(/https:\/\/(?:api|app)\.example\.com(\/[^\s"'<>?#]*)?/g)].map(
    ({ index, 1: address = '/' }) => ({
      path,
      line: text.slice(0, index).split('\n').length,
      method: 'GET',
      address,
    }),
  );
}
