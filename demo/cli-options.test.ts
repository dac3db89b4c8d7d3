import { describe, expect, test } from 'vitest';
import { DemoError, readOptions } from './cli-options.ts';

describe('options of the demonstration', () => {
  test('none are needed', () => {
    expect(readOptions([])).toEqual({
      name: null,
      port: null,
      keep: false,
      fresh: false,
      live: false,
      build: true,
      help: false,
    });
  });

  test.each([
    ['a name with characters that a database name cannot have', ['--name', 'My Demo'], '--name is'],
    ['a port out of range', ['--port', '99999'], '--port is'],
    ['an option that does not exist', ['--fast'], 'npm run demo'],
  ])('%s is refused with what to write instead', (_what, args, sentence) => {
    expect(() => readOptions(args)).toThrow(DemoError);
    expect(() => readOptions(args)).toThrow(sentence);
  });
});
