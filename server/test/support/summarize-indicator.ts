import { type Indicator, type ParseResult, REJECTIONS } from '#domain/indicator/index.ts';

const NAME_BY_REASON = new Map(Object.entries(REJECTIONS).map(([name, reason]) => [reason as string, name]));

/** The whole result in one line, so that a table of cases stays readable. */
export const summarize = (result: ParseResult): string =>
  result.ok
    ? summarizeIndicator(result.indicator)
    : `no ${NAME_BY_REASON.get(result.reason) ?? result.reason}`;

function summarizeIndicator(indicator: Indicator): string {
  switch (indicator.kind) {
    case 'ip':
    case 'cidr':
      return `${indicator.kind}${indicator.version} ${indicator.value}`;
    case 'domain':
      return `domain ${indicator.value} < ${indicator.registrable}`;
    case 'url':
      return `url ${indicator.value} on ${indicator.host.value}`;
    case 'hash':
      return `${indicator.algorithm} ${indicator.value}`;
    case 'email':
      return `email ${indicator.value} on ${indicator.domain.value}`;
  }
}
