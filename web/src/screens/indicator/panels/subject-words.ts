import type { Target } from './check-seen.ts';

type Words = {
  readonly one: string;
  readonly many: string;
};

const WORDS: Readonly<Record<Target['type'], Words>> = {
  ip: { one: 'address', many: 'IP addresses' },
  domain: { one: 'domain', many: 'domains' },
  url: { one: 'URL', many: 'URLs' },
  hash: { one: 'file', many: 'files' },
};

export const subjectWords = (type: Target['type']): Words => WORDS[type];
