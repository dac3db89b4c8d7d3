import type { Infrastructure, RiskScore } from '@assay/sdk';

export type WaterfallRow = {
  /** The factor's name, or `rest`, `total` or `context-rest` for rows that are not one factor. */
  readonly id: string;
  readonly kind: 'adds' | 'takes' | 'context' | 'total';
  readonly label: string;
  readonly from: number;
  readonly to: number;
  /** The points as text: "+34", "−12", "+5 capped", "0 context only". */
  readonly points: string;
  readonly description: string;
};

/** The reserved height fits six bars; the sources that add least share one. */
const BARS_MAX = 6;
const CONTEXT_MAX = 2;

const CONTEXT_LABELS: Readonly<Record<string, string>> = {
  named_service: 'Known service',
  service_range: 'Shared service',
  shared_egress: 'Shared exit',
  anonymity_network: 'Anonymity network',
  known_good: 'Known good',
  popular: 'Much visited',
  research_scanner: 'Research scanner',
  grade_a_floor: 'Floor: grade A source',
  named_service_limit: 'Cap: known service',
  service_uncorroborated: 'Cap: one origin',
  popular_uncorroborated: 'Cap: one origin',
  verified_scanner: 'Cap: research scanner',
  only_below: 'Cap: names below it',
  test_file: 'Cap: test file',
  named_itself: 'Floor: named itself',
  scanner_floor: 'Floor: scanner',
  asn_listed: 'Network',
  neighbourhood: 'Signal: crowded network',
  name: 'Signal: name',
  imitates: 'Signal: imitation',
  tenant: 'Signal: platform',
  brand: 'Signal: brand',
};
const CAPS: ReadonlySet<string> = new Set([
  'named_service_limit',
  'service_uncorroborated',
  'popular_uncorroborated',
  'verified_scanner',
  'only_below',
  'test_file',
]);
const NETWORK_BOOST_MAX = 5;
/** The factor of a listed network. It is absent at first, because it arrives after the factors of the lists. */
export const NETWORK_FACTOR = 'asn_listed';

const ATTRIBUTES: Readonly<Record<string, string>> = {
  'tor-exit': 'Tor exit',
  tor: 'Tor relay',
  vpn: 'VPN',
  cdn: 'CDN',
  bogon: 'Reserved range',
  allowlist: 'Allow list',
};

type Named = { readonly id: string; readonly name: string };
type Factor = RiskScore['factors'][number];

/** The rows in order: each bar starts where the previous one ended, and the last row is the score. */
export function toRows(
  score: RiskScore,
  sources: readonly Named[] = [],
  infrastructure?: Infrastructure,
): readonly WaterfallRow[] {
  const context = contextRows(untold(infrastructure?.attributes ?? [], score.factors), score.score);
  const bars = withRest(score.factors, BARS_MAX - context.length, sources);
  const rows: WaterfallRow[] = [];
  let at = 0;
  for (const bar of bars) {
    const to = at + bar.contribution;
    rows.push({
      id: bar.id,
      kind: bar.contribution < 0 ? 'takes' : 'adds',
      label: bar.label,
      from: at,
      to,
      points: `${signed(bar.contribution)}${bar.isCapped ? ' capped' : ''}`,
      description: bar.description,
    });
    at = to;
  }
  return [...rows, ...context, totalRow(score)];
}

type Bar = {
  readonly id: string;
  readonly label: string;
  readonly contribution: number;
  readonly isCapped: boolean;
  readonly description: string;
};

function withRest(factors: readonly Factor[], barsMax: number, sources: readonly Named[]): readonly Bar[] {
  const names = new Map(sources.map(({ id, name }) => [id, name]));
  const bars = factors.map((factor) => barOf(factor, names));
  if (bars.length <= barsMax) return bars;
  const isContext = ({ id }: Bar) => Object.hasOwn(CONTEXT_LABELS, id);
  const said = bars.filter((bar) => !isContext(bar));
  const context = bars.filter(isContext);
  const shown = Math.max(1, barsMax - 1 - context.length);
  const rest = said.slice(shown);
  return [...said.slice(0, shown), ...(rest.length === 0 ? [] : [restOf(rest)]), ...context];
}

const restOf = (rest: readonly Bar[]): Bar => ({
  id: 'rest',
  label: `${rest.length} more`,
  contribution: rest.reduce((sum, { contribution }) => sum + contribution, 0),
  isCapped: false,
  description: rest.map(({ label, contribution }) => `${label} ${signed(contribution)}`).join(', '),
});

const barOf = ({ name, contribution, description }: Factor, names: ReadonlyMap<string, string>): Bar => ({
  id: name,
  label: names.get(name) ?? CONTEXT_LABELS[name] ?? namedIn(description) ?? name,
  contribution,
  isCapped: CAPS.has(name) || (name === NETWORK_FACTOR && contribution >= NETWORK_BOOST_MAX),
  description,
});

/** A source that lists only a related indicator is not in `sources`; its description begins with its name. */
const namedIn = (description: string): string | undefined => /^(.{1,80}?) lists? /.exec(description)?.[1];

/** By factor: the attributes that it already shows in its own row, so that they get no context row. */
const TOLD_BY: Readonly<Record<string, readonly string[]>> = {
  anonymity_network: ['tor-exit', 'tor', 'vpn', 'proxy'],
  shared_egress: ['vpn', 'proxy', 'relay'],
  service_range: ['cdn', 'cloud', 'allowlist'],
  known_good: ['allowlist'],
  research_scanner: ['scanner', 'crawler'],
};

function untold(attributes: readonly string[], factors: readonly Factor[]): readonly string[] {
  const told = new Set(factors.flatMap(({ name }) => TOLD_BY[name] ?? []));
  return attributes.filter((attribute) => !told.has(attribute));
}

/** Attributes from lists are no accusation: they are drawn where the score ended, without points. */
function contextRows(attributes: readonly string[], at: number): readonly WaterfallRow[] {
  const shown = attributes.length > CONTEXT_MAX ? attributes.slice(0, CONTEXT_MAX - 1) : attributes;
  const rest = attributes.slice(shown.length);
  const row = (id: string, label: string): WaterfallRow => ({
    id,
    kind: 'context',
    label,
    from: at,
    to: at,
    points: '0 context only',
    description: 'Says what it is. Adds nothing to the score.',
  });
  return [
    ...shown.map((attribute) => row(attribute, attributeLabel(attribute))),
    ...(rest.length === 0 ? [] : [row('context-rest', rest.map(attributeLabel).join(', '))]),
  ];
}

const attributeLabel = (attribute: string): string => {
  const words = ATTRIBUTES[attribute] ?? attribute.replaceAll(/[-_]/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

/** `inconclusive` shows no number: a 0 would read as "nothing wrong". */
const totalRow = ({ score, level, summary }: RiskScore): WaterfallRow => ({
  id: 'total',
  kind: 'total',
  label: 'Risk score',
  from: 0,
  to: score,
  points: level === 'inconclusive' ? 'too little is known' : String(score),
  description: summary,
});

/** With the typographic minus, because a hyphen is too short beside digits. */
export const signed = (points: number): string =>
  points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0';

export function sentenceOf(rows: readonly WaterfallRow[]): string {
  const parts = rows
    .filter(({ kind }) => kind !== 'total')
    .map(({ kind, label, from, to }) =>
      kind === 'context' ? `${label} 0` : `${label} ${to < from ? 'minus' : 'plus'} ${Math.abs(to - from)}`,
    );
  const total = rows.find(({ kind }) => kind === 'total')?.points ?? '0';
  return `Score waterfall: ${['start 0', ...parts, `total ${total}`].join(', ')}`;
}

/**
 * Room per letter on the narrowest track, in points of the scale. The scale ends at 108, which leaves a margin after
 * 100.
 */
const POINTS_PER_LETTER = 3.3;
const SCALE_END = 108;
const INSIDE_MIN = 20;

export function placeOfPoints({ from, to, points }: WaterfallRow): 'after' | 'inside' | 'before' {
  const [start, end] = [Math.min(from, to), Math.max(from, to)];
  const room = 3 + points.length * POINTS_PER_LETTER;
  if (end + room <= SCALE_END) return 'after';
  return end - start >= Math.max(INSIDE_MIN, room) ? 'inside' : 'before';
}
