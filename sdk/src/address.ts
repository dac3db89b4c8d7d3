import type { AnyInput, OperationInfo } from './operation.ts';

export type Hosts = {
  readonly base: string;
  /** The URL of the dashboard's host, which serves its own routes at the root and the shared ones below /api. */
  readonly web: string;
  /** True when the session cookie is the credential; it is accepted only below /api. */
  readonly isSession: boolean;
};

/** Rejects a base URL with credentials, a query or a fragment, which would end up in every request URL. */
export function readBaseUrl(name: string, given: string | URL): string {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new TypeError(`${name} must be a whole URL, such as https://api.example.com.`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError(`${name} must begin with https:// or http://.`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError(`${name} must hold no credentials, query or fragment. Give the credential as key.`);
  return url.href.replace(/\/+$/, '');
}

export function addressOf(info: OperationInfo, input: AnyInput, hosts: Hosts): string {
  const path = info.path.replace(/\{(\w+)\}/g, (_whole, name: string) => segment(name, input.path?.[name]));
  const query = queryOf(input.query);
  return hostOf(info, hosts) + path + (query === '' ? '' : `?${query}`);
}

function hostOf({ surface, path }: OperationInfo, { base, web, isSession }: Hosts): string {
  if (surface === 'web') return web;
  if (!isSession) return base;
  if (surface === 'api')
    throw new TypeError(`${path} is not served to a session; the web host may have its own version of it.`);
  return `${web}/api`;
}

/** An empty or dotted segment would address another route. */
function segment(name: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text === '' || text === '.' || text === '..')
    throw new TypeError(`'${name}' must be the id of something.`);
  return encodeURIComponent(text);
}

function queryOf(query: AnyInput['query']): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null) pairs.append(name, String(item));
  return pairs.toString();
}
