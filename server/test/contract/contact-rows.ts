import type { ListedRow, SourceSettings } from '#capabilities/corpus/index.ts';
import { type Listable, parseCrypto, parsePhone } from '#domain/indicator/index.ts';

export const SANCTIONED = '0x01e2919679362dFBC9ee1644Ba9C6da6D6245BB1';

export const sure = (percent: number): SourceSettings => ({
  reliability: percent / 100,
  fpRisk: 'low',
  category: 'scam',
});
export function rowOf(text: string): ListedRow {
  const parsed = text.startsWith('+') ? parsePhone(text) : parseCrypto(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return { indicator: parsed.indicator as Listable };
}
