import { EXAMINED_MAX } from '#capabilities/context-pages/index.ts';
import type { ListedRow } from '#capabilities/corpus/index.ts';
import { type Listable, parseAsn, parseCrypto, parsePhone } from '#domain/indicator/index.ts';
import { START_MS } from './context-pages-rig.ts';
import { DAY_MS, indicatorOf, type ListedCorpus } from './listed-corpus.ts';

export const OPEN = { redistributable: true, category: 'bruteforce' } as const;
const CLOSED = { redistributable: false } as const;
export const MANY = 250;
/** More members than one answer judges. */
export const CROWD = EXAMINED_MAX + 50;

export const row = (value: string, daysAgo: number, more: Partial<ListedRow> = {}): ListedRow => ({
  indicator: indicatorOf(value),
  firstSeenMs: START_MS - daysAgo * DAY_MS,
  ...more,
});
const rowOf = (parsed: { readonly ok: true; readonly indicator: Listable } | { readonly ok: false }) => {
  if (!parsed.ok) throw new Error('No indicator.');
  return { indicator: parsed.indicator };
};

/** Lists of every kind that the context pages tell apart. */
export async function fill({ list }: ListedCorpus): Promise<void> {
  await list(
    'attackers',
    [row('45.83.64.1', 3), row('45.83.64.2', 1), row('45.83.64.10', 2), row('45.83.65.1', 9), '9.9.9.9'],
    { ...OPEN, name: 'Attackers', letter: 'B', licence: 'CC0-1.0', attribution: 'Example', provider: 'P' },
  );
  await list('others', [row('45.83.64.1', 5), '45.83.64.200', '2a0e:97c0::1', '2a0e:97c0::2'], CLOSED);
  await list('trackers', ['45.83.64.77'], { adOnly: true });
  await list('exits', ['45.83.64.1'], {
    threatClass: 'infrastructure',
    category: 'anonymity',
    attributes: ['tor-exit'],
    guard: 'anonymity',
  });
  await list('clouds', ['45.83.64.0/22'], {
    threatClass: 'infrastructure',
    category: 'cloud',
    attributes: ['cloud'],
    guard: 'shared-egress',
  });
  await list('drop', ['45.83.0.0/16', '45.83.64.0/24', '45.83.64.128/25', '45.83.64.0/20'], {
    category: 'malware',
  });
  await list(
    'many',
    Array.from({ length: MANY }, (_, nth) => row(`host-${nth}.example.org`, nth % 7)),
    { ...OPEN, category: 'phishing' },
  );
  await list(
    'kinds',
    [
      'http://bad.example.net/payload.exe',
      'someone@bad.example.net',
      '45.90.0.0/24',
      rowOf(parseAsn('64500')),
      rowOf(parsePhone('+18005550199')),
      rowOf(parseCrypto('1BoatSLRHtKNngkdXEobR76b53LETtpyT')),
    ],
    OPEN,
  );
  await list(
    'crowd',
    Array.from({ length: CROWD }, (_, nth) =>
      row(`45.99.${nth >> 8}.${nth & 255}`, nth % 100, { family: 'Crowded' }),
    ),
    OPEN,
  );
  await list('off', ['45.83.64.9', row('off.example.com', 1, { family: 'Hidden' })], { enabled: false });
  await list(
    'families',
    [
      row('c2-1.example.com', 4, { family: 'win.emotet' }),
      row('c2-2.example.com', 2, { family: 'Emotet' }),
      row('http://c2-3.example.com/gate', 1, { family: 'EMOTET' }),
      row('other.example.com', 1, { family: 'Qakbot' }),
    ],
    { ...OPEN, category: 'c2' },
  );
  await list(
    'closed-families',
    [
      row('c2-2.example.com', 6, { family: 'emotet' }),
      row('secret.example.com', 1, { family: 'emotet' }),
      row('secret.example.org', 1, { family: 'Onlyclosed' }),
    ],
    CLOSED,
  );
}
