import type { Policy } from './policy.ts';
import type { Route } from './route.ts';

const COLUMNS: readonly (readonly [string, (route: Route) => string])[] = [
  ['Method', (route) => route.method],
  ['Path', (route) => `\`${route.path}\``],
  ['Surface', ({ policy }) => policy.surface],
  ['Auth', ({ policy }) => `${policy.auth}${policy.person === true ? ' (person)' : ''}`],
  ['Plan', ({ policy }) => policy.plan],
  ['Role', ({ policy }) => policy.role?.join(', ') ?? ''],
  ['Organization', ({ policy }) => yes(policy.organization)],
  ['Licence', ({ policy }) => yes(policy.licence)],
  ['Meter', ({ policy }) => policy.meter],
  ['Cost', ({ policy }) => costOf(policy)],
  ['Refund on', ({ policy }) => ['5xx', ...(policy.refundOn ?? [])].join(', ')],
  ['Body max', (route) => (route.body === undefined ? '' : bytes(route.policy.bodyMax))],
  ['Deadline', ({ policy }) => `${policy.deadlineMs / 1_000} s`],
  ['Class', ({ policy }) => `${policy.class}${policy.probe === true ? ' (never shed)' : ''}`],
  ['Idempotent', ({ policy }) => yes(policy.idempotent)],
  ['Since', ({ policy }) => policy.since],
  [
    'Deprecated',
    ({ policy }) => (policy.deprecated ? `${policy.deprecated.at}, gone ${policy.deprecated.sunset}` : ''),
  ],
  ['Extension', ({ policy }) => yes(policy.extension)],
];

/** The columns for operators' routes, which all have one auth, no plan and no meter. */
const OPERATOR_COLUMNS = COLUMNS.filter(([name]) =>
  ['Method', 'Path', 'Body max', 'Deadline', 'Class', 'Since', 'Extension'].includes(name),
);

/** Renders `docs/routes.md`, so that every change of access or price is visible in a review. */
export function renderRoutes(routes: readonly Route[], operators: readonly Route[] = []): string {
  return [
    '# Routes',
    '',
    'Every route the service mounts, from the route values themselves. Written by `npm run docs`; do not edit.',
    '',
    '- **Surface**: `api` at the root of the API host, `web` below `/api` of the web host, `both` at both.',
    '- **Auth**: `(person)` also lets a session call that has not shown the second factor its organization demands.',
    '- **Cost**: monthly units of one call; every metered call also spends one of the burst. HEAD costs no unit and does no work that units pay for.',
    '- **Refund on**: statuses whose units are given back.',
    '- **Class**: under load E is refused first and A last.',
    '',
    ...tableOf(routes, COLUMNS),
    '',
    ...(operators.length === 0 ? [] : operatorSection(operators)),
  ].join('\n');
}

const operatorSection = (operators: readonly Route[]): readonly string[] => [
  "## Operators' listener",
  '',
  'On ADMIN_PORT, with a token of an operator ([operators](operating/operators.md)). On the public listener these addresses are 404.',
  '',
  ...tableOf(operators, OPERATOR_COLUMNS),
  '',
];

function tableOf(routes: readonly Route[], columns: typeof COLUMNS): readonly string[] {
  const sorted = [...routes].sort((a, b) => order(a.path, b.path) || order(a.method, b.method));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(([name]) => name)),
    line(columns.map(() => '---')),
    ...sorted.map((route) => line(columns.map(([, cell]) => escaped(cell(route))))),
  ];
}

function costOf(policy: Policy): string {
  if (policy.meter !== 'checks' && policy.meter !== 'scans' && policy.meter !== 'downloads') return '';
  return policy.costNote ?? (policy.cost === undefined ? '1' : 'from the input');
}

const yes = (value: boolean | undefined): string => (value === true ? 'yes' : '');
const bytes = (count: number): string => (count % 1024 === 0 ? `${count / 1024} KiB` : `${count} B`);
const escaped = (cell: string): string => cell.replaceAll('|', '\\|');
const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
