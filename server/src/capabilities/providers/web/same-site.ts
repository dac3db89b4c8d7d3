import { type Domain, type Ip, parseIndicator, platformSuffix } from '#domain/indicator/index.ts';

/** The same host, or one of the same owner by the public suffix list. Two customers of a platform are two owners. */
export function isSameSite(host: Ip | Domain, url: URL): boolean {
  const parsed = parseIndicator(url.hostname.replace(/^\[|\]$/g, ''));
  if (!parsed.ok) return false;
  const other = parsed.indicator;
  if (other.value === host.value) return true;
  if (host.kind !== 'domain' || other.kind !== 'domain' || host.registrable === null) return false;
  return (
    other.registrable === host.registrable &&
    platformSuffix(host.value) === null &&
    platformSuffix(other.value) === null
  );
}
