import { keepRawUrl } from './raw-url.ts';

/** Every page of the dashboard is below this path; a proxy may put other services beside it. */
export const BASE = '/app';

export type Search = Readonly<Record<string, string>>;
export type Address = { readonly path: string; readonly search: Search };

/** What the browser's address bar says, below the base. */
export function readAddress(href: string): Address {
  const url = new URL(href);
  url.pathname = url.pathname.startsWith(`${BASE}/`) ? url.pathname.slice(BASE.length) : '/';
  const { pathname, searchParams } = keepRawUrl({ url }) ?? url;
  return { path: withoutSlash(pathname), search: Object.fromEntries(searchParams) };
}

/** Readable addresses: `?q=1.2.3.4`. A parameter without a value is left out. */
export function hrefOf(path: string, search: Readonly<Record<string, string | undefined>> = {}): string {
  const said = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const text = new URLSearchParams(said).toString();
  return BASE + path + (text === '' ? '' : `?${text}`);
}

export type Params = Readonly<Record<string, string>>;

/** `/ip/:value` takes one segment, `/url/*` the rest of the path (as `rest`); values are decoded. */
export function matchPath(pattern: string, path: string): Params | null {
  const wanted = pattern.split('/');
  const given = path.split('/');
  const takesRest = wanted.at(-1) === '*';
  if (takesRest ? given.length < wanted.length : given.length !== wanted.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = given[index] ?? '';
    if (part === '*') params.rest = decoded(given.slice(index).join('/'));
    else if (part.startsWith(':') && segment !== '') params[part.slice(1)] = decoded(segment);
    else if (part !== segment) return null;
  }
  return params;
}

/** A stray percent sign is a character of the value, not an error. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A URL's own last slash is part of the indicator. */
const withoutSlash = (path: string): string =>
  path === '/' || path.startsWith('/url/') ? path : path.replace(/\/$/, '');
