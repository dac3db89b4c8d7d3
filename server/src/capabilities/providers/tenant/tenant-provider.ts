import { type Domain, platformSuffix } from '#domain/indicator/index.ts';
import { fieldOf } from '#domain/text/foreign-json.ts';
import { inertText } from '#domain/text/inert-text.ts';
import type { Clock } from '#platform/clock.ts';
import type { Outbound } from '#platform/outbound.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { Tenant } from '../contract-names.ts';
import { fetchJson, reachOf, refusedStatus, serviceUrl } from '../fetch-json.ts';
import { type Ask, type Provider, ProviderFailure } from '../provider.ts';

const DEADLINE_MS = 5_000;
const AT_ONCE_MAX = 16;
const BYTES_MAX = 64 * 1024;
const TENANT_ID = /\/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\//i;
/** Every customer has a name below it; the name itself belongs to Microsoft. */
const SHARED_NAME = 'onmicrosoft.com';

export type TenantDeps = { readonly outbound: Outbound; readonly clock: Clock; readonly baseUrl: string };

type Configuration = Pick<Tenant, 'tenantId' | 'region' | 'cloudInstance'>;
type Realm = Pick<Tenant, 'namespaceType' | 'brandName' | 'cloudInstance'>;

/** Whether a domain belongs to a Microsoft tenant (G30), from the two documents that are public before sign-in. */
export function createTenantProvider({ outbound, clock, baseUrl }: TenantDeps): Provider<Domain, Tenant> {
  const request = { ...reachOf(baseUrl), bytesMax: BYTES_MAX };

  const configurationOf = async (name: string, ask: Ask): Promise<Configuration | null> => {
    const url = serviceUrl(baseUrl, `${name}/v2.0/.well-known/openid-configuration`);
    const { status, json } = await fetchJson(outbound, url, request, ask);
    if ((status === 400 || status === 404) && fieldOf(json, 'error') === 'invalid_tenant') return null;
    if (status !== 200) throw refusedStatus(status);
    const endpoint = inertText(fieldOf(json, 'token_endpoint'), 512) ?? '';
    const tenantId = TENANT_ID.exec(endpoint)?.[1]?.toLowerCase();
    if (tenantId === undefined) throw new ProviderFailure('upstream', 'The answer names no tenant.');
    return {
      tenantId,
      region: inertText(fieldOf(json, 'tenant_region_scope'), 32),
      cloudInstance: inertText(fieldOf(json, 'cloud_instance_name'), 256),
    };
  };

  /** Null when it is not available: the tenant is then known without its brand. */
  const realmOf = async (name: string, ask: Ask): Promise<Realm | null> => {
    const url = serviceUrl(baseUrl, 'getuserrealm.srf');
    url.searchParams.set('login', `user@${name}`);
    url.searchParams.set('json', '1');
    try {
      const { status, json } = await fetchJson(outbound, url, request, ask);
      return status === 200 ? readRealm(json) : null;
    } catch {
      return null;
    }
  };

  const tenantOf = async (name: string, ask: Ask) => {
    const [configuration, realm] = await Promise.all([configurationOf(name, ask), realmOf(name, ask)]);
    const isKnown = configuration !== null || (realm !== null && realm.namespaceType !== 'Unknown');
    if (!isKnown) return null;
    const value: Tenant = {
      provider: 'microsoft',
      tenantId: configuration?.tenantId ?? null,
      domain: name,
      namespaceType: realm?.namespaceType ?? 'Unknown',
      brandName: realm?.brandName ?? null,
      region: configuration?.region ?? null,
      cloudInstance: configuration?.cloudInstance ?? realm?.cloudInstance ?? null,
      fetchedAt: new Date(clock.now()).toISOString(),
    };
    return realm === null ? { value, freshMs: HOUR_MS } : { value };
  };

  return {
    name: 'tenant',
    keyOf: ({ value }) => value,
    upstreamOf: () => new URL(baseUrl).host,
    schema: Tenant,
    deadlineMs: DEADLINE_MS,
    atOnceMax: AT_ONCE_MAX,
    freshMs: DAY_MS,
    absentMs: HOUR_MS,
    keepMs: 0,
    ask: async (key, ask) => {
      for (const name of namesOf(key)) {
        const found = await tenantOf(name, ask);
        if (found !== null) return found;
      }
      return { value: null };
    },
  };
}

/** A host belongs to its registered name, unless that name is a platform with separate customers. */
function namesOf({ value, registrable }: Domain): readonly string[] {
  if (registrable === null || registrable === value) return [value];
  const isShared = registrable === SHARED_NAME || platformSuffix(value) !== null;
  return isShared ? [value] : [value, registrable];
}

function readRealm(json: unknown): Realm | null {
  const told = fieldOf(json, 'NameSpaceType');
  if (typeof told !== 'string') return null;
  return {
    namespaceType: told === 'Managed' || told === 'Federated' ? told : 'Unknown',
    brandName: inertText(fieldOf(json, 'FederationBrandName'), 200),
    cloudInstance: inertText(fieldOf(json, 'CloudInstanceName'), 256),
  };
}
