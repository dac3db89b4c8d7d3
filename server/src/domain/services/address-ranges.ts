import type { NamedService } from './named-service.ts';

type RangeData = Omit<NamedService, 'vouches'> & {
  /** The operator's page that publishes the ranges. */
  readonly source: string;
  readonly ranges: string;
};

/**
 * IPv4 ranges that an operator publishes for one service and that no list of the catalogue holds. Ranges from which many
 * companies send (Amazon SES, SendGrid, Mailgun) are missing on purpose: they vouch for no sender.
 */
export const SERVICE_RANGES: readonly RangeData[] = [
  {
    name: 'Exchange Online',
    operator: 'Microsoft',
    kind: 'mail',
    source: 'https://learn.microsoft.com/microsoft-365/enterprise/urls-and-ip-address-ranges',
    ranges: '40.92.0.0/15 40.107.0.0/16 52.100.0.0/14 104.47.0.0/17',
  },
  {
    name: 'iCloud Mail',
    operator: 'Apple',
    kind: 'mail',
    source: 'https://support.apple.com/102322',
    ranges: '17.58.0.0/16 57.103.64.0/18',
  },
  {
    name: 'Proton Mail',
    operator: 'Proton',
    kind: 'mail',
    source: 'https://proton.me/support/anti-spoofing-custom-domain',
    ranges: '185.70.40.0/23 185.70.43.0/24 79.135.106.0/23 109.224.244.0/24',
  },
  {
    name: 'Applebot',
    operator: 'Apple',
    kind: 'crawler',
    source: 'https://support.apple.com/119829',
    ranges:
      '17.241.208.160/27 17.241.193.160/27 17.241.200.160/27 17.22.237.0/24 17.22.245.0/24 17.22.253.0/24 17.241.75.0/24 17.241.219.0/24 17.241.227.0/24 17.246.15.0/24 17.246.19.0/24 17.246.23.0/24',
  },
];

type Range = { readonly first: number; readonly last: number; readonly service: NamedService };

const RANGES: readonly Range[] = SERVICE_RANGES.flatMap(({ name, operator, kind, ranges }) => {
  const service = Object.freeze({ name, operator, kind, vouches: true });
  return ranges.split(' ').map((range) => ({ ...boundsOf(range), service }));
}).toSorted((a, b) => a.first - b.first);

function boundsOf(range: string): { readonly first: number; readonly last: number } {
  const [address = '', bits = ''] = range.split('/');
  const first = address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
  return { first, last: first + 2 ** (32 - Number(bits)) - 1 };
}

/** The service whose range holds this IPv4 address, as an unsigned number; null for all others. */
export function serviceOfAddress(address: number): NamedService | null {
  let [low, high] = [0, RANGES.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = RANGES[middle] as Range;
    if (address < range.first) high = middle - 1;
    else if (address > range.last) low = middle + 1;
    else return range.service;
  }
  return null;
}
