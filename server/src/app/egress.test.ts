import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** A way out that forgot the operator's rules would be found by nobody until it is used. */
test('every way out of the service takes the rules of the operator', () => {
  const calls = globSync('**/*.ts', {
    cwd: import.meta.dirname,
    exclude: (path) => path.endsWith('.test.ts'),
  })
    .map((path) => ({ path, text: readFileSync(join(import.meta.dirname, path), 'utf8') }))
    .flatMap(({ path, text }) => {
      const made = text.match(/\b(?:createOutbound|createOutboundStreams|createUrlCheck)\(/g)?.length ?? 0;
      const ruled = text.match(/\begressOf\(/g)?.length ?? 0;
      return made === 0 ? [] : [{ path, isRuled: ruled > 0 || text.includes('webhookReach(') }];
    });
  expect(calls.length).toBeGreaterThan(5);
  expect(calls.filter(({ isRuled }) => !isRuled)).toEqual([]);
});
