import type { SourceSettings } from '#capabilities/corpus/index.ts';
import { systemClock } from '#platform/clock.ts';
import { eventually } from '#test/eventually.ts';
import { loadList } from '#test/load-list.ts';
import { type ServiceWithAccount, startWithAccount } from '#test/service-accounts.ts';

export const CROWDED_IP = '45.155.205.233';
/** As crowded, and on a list of good addresses. */
export const DISPUTED_IP = '45.155.205.240';
export const CLOUD_IP = '52.95.110.1';
export const SAMPLE_SHA256 = 'ab'.repeat(32);
export const SAMPLE_MD5 = 'cd'.repeat(16);
export const FEEDS = 42;

export type Answer = Record<string, unknown> & {
  sources: (Record<string, unknown> & { id: string })[];
  infrastructure?: { attributes: string[]; sources: unknown[] };
  riskScore: { score: number; level: string; factors: { name: string; contribution: number }[] };
  evidence: { verdict: string; observedAt: string; recommendedAction: string; reasons: string[] } & Record<
    string,
    unknown
  >;
  dataTrust: { observedAt: string; snapshotId: string } & Record<string, unknown>;
  classification: { primary: string };
};
export type Got = { readonly status: number; readonly headers: Headers; readonly body: Answer };

export type CheckService = Pick<ServiceWithAccount, 'service' | 'accounts' | 'stop'> & {
  readonly get: (path: string, credential?: string) => Promise<Got>;
  /** GET /check at standard, or with what `more` says. */
  readonly check: (query: string, more?: string) => Promise<Got>;
  readonly importList: (
    id: string,
    values: readonly string[],
    settings?: SourceSettings,
    ageHours?: number,
  ) => Promise<void>;
};

/** The real service with the lists that the traps speak of. Through the capability: 42 processes would take a minute. */
export async function startCheckService(): Promise<CheckService> {
  const running = await startWithAccount();
  const { service, accounts } = running;
  const { credential: enterprise } = await accounts.newAccount('desk@example.com', { plan: 'ENTERPRISE' });
  const clock = systemClock();
  const get = async (path: string, credential = enterprise): Promise<Got> => {
    const response = await fetch(`${service.url}${path}`, {
      headers: credential === '' ? {} : { 'X-API-KEY': credential },
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
  };
  const check = (query: string, more = '') => get(`/check?query=${encodeURIComponent(query)}${more}`);
  const importList: CheckService['importList'] = async (id, values, settings = {}, ageHours = 0) => {
    const dataAtMs = clock.now() - ageHours * 3_600_000;
    await loadList({ system: accounts.system, clock }, id, values, { dataAtMs, settings });
  };
  await importTrapLists(importList);
  await eventually(
    'the lists are in the replica',
    10_000,
    async () => (await check('http://evil.com/payload.exe')).body.blocklistHits === FEEDS + 1,
  );
  return { service, accounts, get, check, importList, stop: running.stop };
}

async function importTrapLists(importList: CheckService['importList']): Promise<void> {
  for (let i = 0; i < FEEDS; i += 1)
    await importList(`feed-${String(i).padStart(2, '0')}`, [CROWDED_IP, DISPUTED_IP, 'evil.com']);
  const infrastructure = { threatClass: 'infrastructure' } as const;
  await importList('cloud', ['52.95.0.0/16', '52.95.110.0/24'], { ...infrastructure, attributes: ['cloud'] });
  await importList('exits', [CLOUD_IP], { ...infrastructure, attributes: ['tor-exit'] });
  await importList('ads', ['ads.evil.com', 'only-ads.com'], { adOnly: true, category: 'ads' });
  await importList('samples', [SAMPLE_SHA256, SAMPLE_MD5], {
    signal: 'scanner',
    category: 'malware',
    entityTypes: ['hash'],
  });
  await importList('ranges', ['45.155.206.0/24', '2a02:4780::/32'], { category: 'malware' });
  await importList('mixed-good', [DISPUTED_IP], {
    threatClass: 'allowlist',
    category: 'known-good',
    guard: 'known-good',
  });
  await importList('weak', ['one-weak-list.com'], { fpRisk: 'high', reliability: 0.2, letter: 'E' }, 24 * 40);
  await importList('urls', ['http://evil.com/payload.exe'], { category: 'malware' });
}

/** A document without the time it was asked at: what two calls about the same thing must agree on. */
export function undated({ evidence, dataTrust, ...rest }: Answer): unknown {
  return {
    ...rest,
    evidence: evidence && { ...evidence, observedAt: '' },
    dataTrust: dataTrust && { ...dataTrust, observedAt: '' },
  };
}
