import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../server/src/platform/migrate.ts';
import { databaseUrl, dropDatabase } from '../server/test/support/database.ts';
import { buildDashboard } from '../web/test/support/build-dashboard.ts';
import { accuse } from '../web/test/support/journey.ts';
import { hasMock, serveMock, timeInTurns } from '../web/test/support/page-speed.ts';
import { startStack } from '../web/test/support/stack.ts';

/**
 * npm run bench:web -- [--rounds 9]
 * The time until a browser with an empty cache shows the home page and an indicator page of the built dashboard, beside
 * a static drawing of that page without script. In turns, on the same machine in the same minute; medians.
 */
const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } });
const rounds = Number(flags.rounds);
const LISTED = '185.220.101.34';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const webDir = mkdtempSync(join(tmpdir(), 'assay-bench-web-'));
const database = `assay_bench_web_${randomBytes(6).toString('hex')}`;
try {
  await buildDashboard(webDir);
  await migrate(databaseUrl(database));
  const stack = await startStack({ databaseUrl: databaseUrl(database), webDir });
  const mock = hasMock() ? await serveMock() : null;
  try {
    await accuse(stack, [LISTED]);
    const openings = await timeInTurns(
      [
        ...(mock === null ? [] : [{ name: 'mock', url: mock.url, ready: 'h1' }]),
        { name: 'home', url: `${stack.service.url}/app/`, ready: 'h1' },
        {
          name: 'indicator',
          url: `${stack.service.url}/app/ip/${LISTED}`,
          ready: 'article[data-state="done"]',
        },
      ],
      rounds,
    );
    for (const [name, { lcpMs, cls, verdictMs }] of openings) {
      say(`figure lcp-ms-${name} ${lcpMs}`);
      say(`figure cls-${name} ${cls.toFixed(4)}`);
      if (name === 'indicator') say(`figure first-verdict-ms ${verdictMs}`);
    }
    const floor = openings.get('mock')?.lcpMs;
    if (floor === undefined) say('The drawing is not beside this project: there is nothing to compare with.');
    else
      for (const name of ['home', 'indicator'])
        say(`ratio web-lcp-${name} ${((openings.get(name)?.lcpMs ?? Number.NaN) / floor).toFixed(2)}`);
    const machine = {
      cpu: cpus()[0]?.model,
      cores: cpus().length,
      load: loadavg()[0],
      node: process.version,
    };
    mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
    writeFileSync(
      join(import.meta.dirname, 'results/web.json'),
      `${JSON.stringify({ machine, rounds, ...Object.fromEntries(openings) }, null, 2)}\n`,
    );
  } finally {
    await mock?.close();
    await stack.stop();
  }
} finally {
  await dropDatabase(database);
  rmSync(webDir, { recursive: true, force: true });
}
