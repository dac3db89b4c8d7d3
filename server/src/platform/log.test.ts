import { describe, expect, test } from 'vitest';
import { createLog } from './log.ts';

const CANARY = 'sk_canary0000000000000000000000000000000000';
const FIELDS = [
  'authorization',
  'x-api-key',
  'x-license-key',
  'cookie',
  'set-cookie',
  'password',
  'apiSecret',
  'secret',
  'sha1',
  'ntlm',
  'hash',
  'eml',
  'emlBase64',
  'token',
];

function captured(level = 'debug') {
  const lines: string[] = [];
  return { log: createLog(level, { write: (line) => void lines.push(line) }), lines };
}

describe('secrets never reach a log line (reliability 3.K)', () => {
  test.each(FIELDS)('%s is redacted at the top and three levels down', (field) => {
    const { log, lines } = captured();
    log.info({ [field]: CANARY }, 'top');
    log.warn({ a: { [field]: CANARY } }, 'one');
    log.error({ a: { b: { [field]: CANARY } } }, 'two');
    log.debug({ request: { raw: { headers: { [field]: CANARY } } } }, 'three');
    expect(lines).toHaveLength(4);
    expect(lines.join('')).not.toContain(CANARY);
    for (const line of lines) expect(line).toContain('[redacted]');
  });

  test.each(FIELDS)('%s is redacted in the fields of a child', (field) => {
    const { log, lines } = captured();
    log.child({ [field]: CANARY, request: { [field]: CANARY } }).info({}, 'said by a child');
    expect(lines).toHaveLength(1);
    expect(lines.join('')).not.toContain(CANARY);
  });

  test('fields that are not secret stay readable', () => {
    const { log, lines } = captured();
    log.info({ accountId: 'org_1', a: { plan: 'PRO' } }, 'told');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ accountId: 'org_1', a: { plan: 'PRO' }, msg: 'told' });
  });
});

describe('lines', () => {
  test('a value with line breaks and terminal sequences is still one line', () => {
    const { log, lines } = captured();
    log.info({ agent: 'a\nb\r\n\u001b[31m{"level":60}' }, 'x\ny');
    expect(lines).toHaveLength(1);
    for (const char of ['\n', '\r', '\u001b']) expect(lines[0]?.trimEnd()).not.toContain(char);
  });

  test('a finished line is written unchanged, unless the log is silent', () => {
    const { log, lines } = captured('error');
    log.line('{"msg":"request"}');
    expect(lines).toEqual(['{"msg":"request"}\n']);
    const silent = captured('silent');
    silent.log.line('{"msg":"request"}');
    silent.log.error({}, 'nothing');
    expect(silent.lines).toEqual([]);
  });

  test('nothing is logged below the threshold', () => {
    const { log, lines } = captured('warn');
    log.info({}, 'no');
    log.warn({}, 'yes');
    expect(lines).toHaveLength(1);
  });
});
