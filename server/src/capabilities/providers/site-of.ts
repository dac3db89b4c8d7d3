import type { Indicator } from '#domain/indicator/index.ts';

/** What all questions about one thing share, so that Redis Cluster keeps their answers in one place. */
export function siteOf(indicator: Indicator): string {
  switch (indicator.kind) {
    case 'domain':
      return indicator.registrable ?? indicator.value;
    case 'url':
      return siteOf(indicator.host);
    case 'email':
      return siteOf(indicator.domain);
    default:
      return indicator.value;
  }
}
