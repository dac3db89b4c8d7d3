import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const MODULE = join(import.meta.dirname, 'end-process.ts');

/** A process with a timer that would keep it alive. */
const program = (code: number) => `
  import { endProcess } from ${JSON.stringify(MODULE)};
  setInterval(() => undefined, 1_000);
  process.on('exit', () => process.stdout.write('exit handler'));
  process.stdout.write('the last line');
  endProcess(${code});
  process.stdout.write('never written');
`;

test.each([0, 1, 75])(
  'a process ends with the code %i and what it wrote, whatever keeps it alive',
  (code) => {
    const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program(code)], {
      encoding: 'utf8',
    });
    expect(ended.status).toBe(code);
    expect(ended.stdout).toBe('the last line');
    expect(ended.stderr).toBe('');
  },
);
