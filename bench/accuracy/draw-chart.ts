import type { Accuracy } from './measure.ts';
import { policiesOf } from './policies.ts';

const [WIDTH, ROW, TOP, LABELS, PANEL, GAP] = [860, 40, 92, 200, 270, 60];
const BAR = 20;
/** Room for the number after the longest bar. */
const FIGURE = 64;

type Bar = { readonly share: number; readonly figure: string };

/**
 * Two panels over the same rows: what a rule catches, and its false alarms. Colours follow the reader's light or dark
 * theme.
 */
export function drawChart(accuracy: Accuracy): string {
  const policies = policiesOf(accuracy);
  const hosts = accuracy.negatives['cloudflare-100k'].entries;
  const most = {
    caught: Math.max(...policies.map(({ caughtMean }) => caughtMean)),
    alarms: Math.max(...policies.map(({ alarms }) => alarms('cloudflare-100k'))),
  };
  const rows = policies.map((policy, index) => {
    const y = TOP + index * ROW;
    const isScore = policy.name.startsWith('score');
    const alarms = policy.alarms('cloudflare-100k');
    const caught = {
      share: policy.caughtMean / most.caught,
      figure: `${(100 * policy.caughtMean).toFixed(1)} %`,
    };
    const alarm = { share: most.alarms === 0 ? 0 : alarms / most.alarms, figure: count(alarms) };
    return [
      `  <text x="${LABELS - 14}" y="${y + 15}" class="name" text-anchor="end">${policy.name}</text>`,
      bar(LABELS, y, caught, isScore ? 'score' : 'plain'),
      bar(LABELS + PANEL + GAP, y, alarm, isScore ? 'alarm' : 'plain'),
    ].join('\n');
  });
  const height = TOP + policies.length * ROW + 34;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title desc">
  <title id="title">What each rule catches, and its false alarms</title>
  <desc id="desc">${describe(accuracy)}</desc>
  <style>
    text { font: 14px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
    .head { font-weight: 600; font-size: 15px; }
    .note { font-size: 12px; fill: #59636e; }
    .axis { stroke: #818b98; }
    .plain { fill: #9aa4af; }
    .score { fill: #1f6feb; }
    .alarm { fill: #bc4c00; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .note { fill: #9198a1; }
      .plain { fill: #656c76; }
      .score { fill: #58a6ff; }
      .alarm { fill: #f0883e; }
    }
  </style>
  <text x="${LABELS}" y="28" class="head">Caught without its own list</text>
  <text x="${LABELS}" y="48" class="note">mean of ${accuracy.recall.lineages.length} independent lineages; more is better</text>
  <text x="${LABELS + PANEL + GAP}" y="28" class="head">Popular sites flagged</text>
  <text x="${LABELS + PANEL + GAP}" y="48" class="note">of ${count(hosts)} much visited hosts; fewer is better</text>
${rows.join('\n')}
${[LABELS, LABELS + PANEL + GAP].map((x) => `  <line x1="${x}" x2="${x}" y1="${TOP - 10}" y2="${height - 34}" class="axis"/>`).join('\n')}
  <text x="${LABELS}" y="${height - 8}" class="note">Grey: counting lists. Coloured: the score. Data of 22 August 2026.</text>
</svg>
`;
}

function bar(x: number, y: number, { share, figure }: Bar, name: string): string {
  const width = Math.max(share * (PANEL - FIGURE), share > 0 ? 1 : 0);
  const shape =
    width > 0 ? `<rect x="${x}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" class="${name}"/>` : '';
  return `  ${shape}<text x="${(x + width + 8).toFixed(1)}" y="${y + 15}">${figure}</text>`;
}

function describe(accuracy: Accuracy): string {
  return policiesOf(accuracy)
    .map(
      ({ name, caughtMean, alarms }) =>
        `${name}: ${(100 * caughtMean).toFixed(1)} % caught, ${count(alarms('cloudflare-100k'))} popular sites flagged`,
    )
    .join('; ');
}

const count = (value: number): string => value.toLocaleString('en-US');
