import type { Target } from './check-seen.ts';
import type { Facet } from './facet-state.ts';

export type PanelId =
  | 'host'
  | 'file'
  | 'network'
  | 'location'
  | 'vulnerabilities'
  | 'pulses'
  | 'passive-dns'
  | 'certificate'
  | 'registration'
  | 'dns'
  | 'mail'
  | 'lookalikes'
  | 'related'
  | 'technologies'
  | 'password';

/** The panels of an address, in the order of an analyst's questions. */
const OF_ADDRESS: readonly PanelId[] = [
  'network',
  'location',
  'vulnerabilities',
  'pulses',
  'passive-dns',
  'certificate',
  'registration',
  'related',
  'technologies',
];
/** The panels of a domain or URL. Registration is first, because the age of a name tells most readers most. */
const OF_NAME: readonly PanelId[] = [
  'registration',
  'dns',
  'mail',
  'certificate',
  'passive-dns',
  'related',
  'technologies',
  'location',
  'pulses',
];

export function panelOrder({ type, value }: Target): readonly PanelId[] {
  switch (type) {
    case 'ip':
      return OF_ADDRESS;
    case 'domain':
      return OF_NAME.flatMap((id) => (id === 'related' ? ['lookalikes', id] : [id]));
    case 'hash':
      return ['file', 'pulses', 'password'];
    case 'url':
      return ['host', ...(hostOf(value)?.type === 'ip' ? OF_ADDRESS : OF_NAME)];
  }
}

export const FACET_OF: Readonly<Partial<Record<PanelId, Facet>>> = {
  network: 'geo',
  location: 'geo',
  vulnerabilities: 'vulnerabilities',
  pulses: 'otx',
  'passive-dns': 'otx',
  certificate: 'certificates',
  registration: 'whois',
  dns: 'dns',
  mail: 'dns',
  related: 'relatedInfrastructure',
  technologies: 'technologies',
};

export const TITLES: Readonly<Record<PanelId, string>> = {
  host: 'Host',
  file: 'File',
  network: 'Network',
  location: 'Location',
  vulnerabilities: 'Open vulnerabilities',
  pulses: 'Community reports',
  'passive-dns': 'Passive DNS',
  certificate: 'Certificate',
  registration: 'Registration',
  dns: 'DNS',
  mail: 'Mail posture',
  lookalikes: 'Look-alikes',
  related: 'Related infrastructure',
  technologies: 'Technologies',
  password: 'Breached password',
};

export function hostOf(url: string): { readonly type: 'ip' | 'domain'; readonly value: string } | null {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.hostname === '') return null;
  const bare = parsed.hostname.replaceAll(/^\[|\]$/g, '');
  const isAddress = bare.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(bare);
  return { type: isAddress ? 'ip' : 'domain', value: bare };
}
