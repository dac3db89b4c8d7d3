import { describe, expect, test } from 'vitest';
import { FACTS, type LetterContent, type LetterKind, readContent } from './contract.ts';
import { readAddress } from './read-address.ts';
import { renderLetter } from './render-letter.ts';
import { topicOf } from './topics.ts';

const HOSTILE = `<img src="https://evil.com/x.png" onerror='x'>&`;
/** What mail programs make links of. */
const LINKS = ['evil.com', 'https://evil.com', 'www.evil', 'a@evil.com', '192.0.2.7', 'evil。com'];
const LINK = 'https://app.example.test/app/verify?a=1&b=%3Cx%3E#token=abc';
const KINDS = Object.keys(FACTS) as LetterKind[];

/** A letter whose every text fact is an HTML attack, cut to the length that the fact allows. */
function contentOf(kind: LetterKind): LetterContent {
  const facts = Object.fromEntries(
    Object.entries(FACTS[kind].shape).map(([name, schema]) => {
      if (name === 'link') return [name, LINK];
      if (name === 'isEstablished') return [name, true];
      for (let chars = HOSTILE.length; chars > 1; chars -= 1)
        if (schema.safeParse(HOSTILE.slice(0, chars)).success) return [name, HOSTILE.slice(0, chars)];
      // The fact is a list of lines.
      if (schema.safeParse([HOSTILE]).success) return [name, [HOSTILE]];
      throw new Error(`No fact fits ${kind} ${name}.`);
    }),
  );
  const content = readContent(kind, facts);
  if (content === null) throw new Error(`The facts of ${kind} cannot be read.`);
  return content;
}

describe.each(KINDS)('a letter %s', (kind) => {
  const unsubscribeLink = topicOf(kind) === null ? null : 'https://app.example.test/stop?token=x';
  const { subject, text, html } = renderLetter(contentOf(kind), {
    host: 'app.example.test',
    unsubscribeLink,
  });

  test('says why the person gets it and from where', () => {
    expect(text).toContain('Why you get this letter: ');
    expect(html).toContain('Why you get this letter: ');
    expect(text).toContain('Assay at app.example.test');
    expect(text).toMatch(/\bIf (this was not you|you do|you forgot)\b/);
  });

  test('is one line of subject, loads nothing and escapes its facts', () => {
    expect(subject).not.toMatch(/[\r\n]/);
    const tags = html.match(/<[^>]*>/g) ?? [];
    expect(tags.length).toBeGreaterThan(8);
    for (const tag of tags) {
      expect(tag).toMatch(/^<\/?(?:html|head|meta|title|body|p|a|br|!doctype)\b/i);
      expect(tag).not.toMatch(/\ssrc=|\son\w+=|url\(/i);
      const href = /href="([^"]*)"/.exec(tag)?.[1];
      if (href !== undefined) expect(href).toMatch(/^https:\/\/app\.example\.test\//);
    }
  });

  test('has its link in both forms, and the way to unsubscribe where it has a topic', () => {
    if ('link' in FACTS[kind].shape) {
      expect(text).toContain(LINK);
      expect(html).toContain(LINK.replaceAll('&', '&amp;'));
    }
    expect(text.includes('No more letters of this kind')).toBe(unsubscribeLink !== null);
  });
});

describe.each(KINDS)('a letter %s with text of a caller', (kind) => {
  const own = ['link', 'when', 'until', 'resetsAt', 'address', 'isEstablished'];
  const facts = (text: string) =>
    Object.fromEntries(
      Object.entries(FACTS[kind].shape).map(([name, schema]) => {
        if (name === 'link') return [name, LINK];
        if (name === 'isEstablished') return [name, true];
        if (own.includes(name) || !schema.safeParse(text).success)
          return [name, schema.safeParse([text]).success ? [text] : '1'];
        return [name, text];
      }),
    );

  test.each(LINKS)('has no link of %s, in the subject, the text and the HTML', (link) => {
    const content = readContent(kind, facts(link));
    if (content === null) throw new Error(`The facts of ${kind} cannot be read.`);
    const sender = { host: 'app.example.test', unsubscribeLink: null };
    const { subject, text, html } = renderLetter(content, sender);
    for (const part of [subject, text, html]) expect(part).not.toContain(link);
  });
});

describe('an address', () => {
  test.each([
    ['person@example.org', 'person@example.org'],
    [' Per.son+tag@Example.ORG ', 'Per.son+tag@example.org'],
    ['p@bücher.example', 'p@xn--bcher-kva.example'],
    ['p@mail.corp.internal', 'p@mail.corp.internal'],
  ])('%s can be written to', (text, address) => expect(readAddress(text)).toBe(address));

  test.each([
    '',
    'person',
    '@example.org',
    'a b@example.org',
    '"a b"@example.org',
    'a@b@example.org',
    'a@example.org>',
    'a@example.org\r\nBcc: x@example.org',
    'a,b@example.org',
    'a@localhost',
    'a@[127.0.0.1]',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b.'.repeat(130)}org`,
  ])('%j cannot', (text) => expect(readAddress(text)).toBeNull());
});
