import { hostOf, parseIndicator } from '#domain/indicator/index.ts';
import type { RansomwareQuery, RansomwareReply } from './contract.ts';

const NO_CLAIMS = 'No ransomware claims are loaded here';

/**
 * No ransomware claims are loaded, so the reply is the empty form and its message always says so (contract 4.2, G29).
 */
export function answerRansomware({ text, isStats }: RansomwareQuery): RansomwareReply {
  if (isStats || text === null)
    return {
      query: text,
      queryType: 'stats',
      stats: { totalVictims: 0, activeGroups: 0, attacksThisMonth: 0, attacksThisYear: 0 },
      message: `${NO_CLAIMS}: nothing was counted.`,
    };
  return {
    ...typeOf(text),
    found: false,
    matches: [],
    groups: [],
    message: `${NO_CLAIMS}: nothing was looked up, which says nothing about the query.`,
  };
}

function typeOf(text: string): Pick<Extract<RansomwareReply, { found: boolean }>, 'query' | 'queryType'> {
  const parsed = parseIndicator(text);
  if (!parsed.ok) return { query: text, queryType: 'keyword' };
  const { indicator } = parsed;
  if (indicator.kind === 'hash') return { query: indicator.value, queryType: 'hash' };
  const host = indicator.kind === 'email' ? null : hostOf(indicator);
  return host === null ? { query: text, queryType: 'keyword' } : { query: host.value, queryType: host.kind };
}
