import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createCtProvider,
  createDnsProvider,
  createIntelOwlProvider,
  createInternetDbProvider,
  createOtxProvider,
  createRdapProvider,
  createScannerProvider,
  createTenantProvider,
  createTlsProvider,
  createWebProvider,
  PROVIDERS,
} from '#capabilities/providers/index.ts';
import { systemClock } from '#platform/clock.ts';
import { Environment } from '#platform/config.ts';
import { LIVE_ENVIRONMENT } from '#platform/config-live.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operating/live-lookups.md'), 'utf8');
/** `addresses` is documented as part of `dns`. */
const NAMES = PROVIDERS.filter((name) => name !== 'addresses');

/** Cells of each table whose header begins with `Name`, without the backquotes of the name. */
const tables = page
  .split(/^\| Name .*$/m)
  .slice(1)
  .map((part) => {
    const [table = ''] = part.split('\n\n', 1);
    return [...table.matchAll(/^\| `.*$/gm)].map(([row]) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/^`(\w+)`$/, '$1')),
    );
  });

test('the page names every variable of live lookups, and none that does not exist', () => {
  for (const name of Object.keys(LIVE_ENVIRONMENT)) expect(page).toContain(`\`${name}`);
  const named = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)/g)].map(([, name]) => name);
  expect(Object.keys(Environment.shape)).toEqual(expect.arrayContaining(named));
});

test('the page says what each provider learns, and that all are off by default (O80)', () => {
  expect(LIVE_ENVIRONMENT.LIVE_PROVIDERS.parse(undefined)).toEqual([]);
  expect(page).toContain('**off by default**');
  expect(tables[0]?.map(([name]) => name)).toEqual(NAMES);
});

test('the page gives the actual cache times of each provider', () => {
  // No provider sends a request when it is created.
  const outbound = {} as never;
  const clock = systemClock();
  const baseUrl = 'https://service.example/';
  const providers = [
    createDnsProvider({ dns: {} as never }),
    createRdapProvider({ outbound, streams: outbound, clock, bootstrapUrl: baseUrl, whoisRoot: 'w.example' }),
    createTlsProvider({ streams: outbound, clock }),
    createCtProvider({ outbound, baseUrl }),
    createInternetDbProvider({ outbound, baseUrl }),
    createOtxProvider({ outbound, clock, baseUrl }),
    createScannerProvider({ outbound, clock, baseUrl }),
    createWebProvider({ outbound }),
    createTenantProvider({ outbound, clock, baseUrl }),
    createIntelOwlProvider({ outbound }),
  ];
  expect(tables[1]).toEqual(
    providers.map(({ name, deadlineMs, freshMs, absentMs, keepMs }) => [
      name,
      ...[deadlineMs, freshMs, absentMs, keepMs].map(spell),
    ]),
  );
});

function spell(ms: number): string {
  if (ms === 0) return 'no';
  for (const [unit, unitMs, most] of [
    ['s', 1_000, 59],
    ['min', 60_000, 59],
    ['h', 3_600_000, 24],
  ] as const)
    if (ms / unitMs <= most) return `${ms / unitMs} ${unit}`;
  return `${ms / 86_400_000} d`;
}
