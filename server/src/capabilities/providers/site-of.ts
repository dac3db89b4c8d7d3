import type { Indicator } from '#domain/indicator/index.ts';

/** The name shared by all questions about one indicator, so that Redis Cluster keeps their answers in one slot. */
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
