import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isWebPage } from './sniff-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-sniff-'));
afterAll(() => rmSync(folder, { recursive: true }));
const judge = (body: string, type = 'text/plain') => {
  const path = join(folder, 'body');
  writeFileSync(path, body);
  return isWebPage(path, type);
};

test.each([
  ['<!DOCTYPE html><html><body>Sign in</body></html>'],
  ['\uFEFF\n  <html lang="en">'],
  ['<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0">'],
  ['<!-- cache --><head><title>503</title>'],
  ['<script>location="/captcha"</script>'],
])('a page is recognised under any declared type: %s', async (body) => {
  expect(await judge(body)).toBe(true);
});

test('markup further down is a page only when it is declared as one', async () => {
  const body = 'Checking your browser\n<a href="/verify">verify</a>';
  expect(await judge(body, 'text/html; charset=utf-8')).toBe(true);
  expect(await judge(body)).toBe(false);
});

test.each([
  ['192.0.2.1\n192.0.2.2\n', 'text/html'],
  ['# <b>list</b> of the day\n192.0.2.1\n', 'text/plain'],
  ['{"ips": ["192.0.2.1"]}', 'application/json'],
  ['! Title: <p>\n||example.com^\n', 'text/plain'],
])('a list that a script forgot to declare is a list: %s as %s', async (body, type) => {
  expect(await judge(body, type)).toBe(false);
});

test.each([
  ['comments that end', '<!---->'],
  ['comments that never end', '<!--'],
  ['tags that never end', '<!doctype '],
  ['declarations', '<?xml '],
])('16 KiB of %s are judged at once', async (_name, pump) => {
  const body = pump.repeat(16_384 / pump.length);
  expect(await judge(body, 'text/html')).toBe(false);
  expect(await judge(`${body}\n192.0.2.1\n`)).toBe(false);
});

test('a page behind many comments is a page', async () => {
  expect(await judge(`${'<!---->\n'.repeat(260)}<html>`)).toBe(true);
});
