import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeOle, makePe, makeZip } from '#test/mail/made-files.ts';
import { TOOLS } from '#test/mail/made-mail.ts';
import { detectType } from './file-type.ts';
import { readFile } from './read-attachment.ts';
import { listZip } from './zip-listing.ts';

const flagsOf = (content: string | Uint8Array, filename: string): readonly string[] =>
  readFile(Buffer.from(content), filename, TOOLS).flags;
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const RELATIONS = (target: string, type: string) =>
  `<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" TargetMode="External"/></Relationships>`;

describe('the type of a file is told by its bytes', () => {
  test.each<[string, Uint8Array, string]>([
    ['a Windows program', makePe(), 'pe'],
    ['a Linux program', Buffer.from('7f454c4602010100', 'hex'), 'elf'],
    ['a macOS program', Buffer.from('cffaedfe07000001', 'hex'), 'macho'],
    ['a script', Buffer.from('#!/bin/sh\necho x'), 'script'],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj'), 'pdf'],
    ['an archive', makeZip({ 'a.txt': 'x' }), 'zip'],
    ['a RAR archive', Buffer.from('526172211a0700', 'hex'), 'rar'],
    ['a 7z archive', Buffer.from('377abcaf271c0004', 'hex'), '7z'],
    ['a picture', PNG, 'image'],
    ['a page', Buffer.from('\n<!DOCTYPE html><html><body>x'), 'html'],
    ['a message', Buffer.from('From: a@b.com\r\nSubject: x\r\n\r\nx'), 'eml'],
    ['a text', Buffer.from('plain words'), 'text'],
    ['other bytes', Buffer.from('000102030405060708', 'hex'), 'unknown'],
    ['a text that begins with MZ', Buffer.from(`MZ${' is the mark of a program.'.repeat(5)}`), 'text'],
  ])('%s', (_, bytes, expected) => {
    expect(detectType(bytes)).toBe(expected);
  });
});

describe('flags', () => {
  test.each<[string, string | Uint8Array, readonly string[]]>([
    ['invoice.pdf.exe', makePe(), ['risky_extension', 'double_extension']],
    ['invoice.pdf', makePe(), ['type_mismatch', 'disguised_program']],
    ['photo\u202egpj.exe', makePe(), ['risky_extension', 'double_extension']],
    ['photo.jpg', PNG, []],
    ['photo.png', 'text', ['type_mismatch']],
    [
      'report.docm',
      makeZip({ '[Content_Types].xml': '', 'word/vbaProject.bin': 'x' }),
      ['risky_extension', 'macro_project'],
    ],
    ['old.doc', makeOle(['Root Entry', 'Macros', 'VBA']), ['macro_project']],
    ['old.xls', makeOle(['Root Entry', 'EncryptedPackage']), ['encrypted']],
    ['a.pdf', '%PDF-1.5 /OpenAction << /S /JavaScript /JS (app.alert) >>', ['pdf_action']],
    ['b.pdf', '%PDF-1.5 /OpenAction << /S /#4aavaScript >>', ['pdf_action']],
    ['c.pdf', '%PDF-1.5 /Encrypt 5 0 R', ['encrypted']],
    ['invoice-with-data.pdf', '%PDF-1.7 /EmbeddedFile /AcroForm /SubmitForm', []],
    [
      'a.html',
      `<html><script>var b = new Blob([atob("${'QUJD'.repeat(20)}")]); a.download = "x"</script>`,
      ['html_smuggling'],
    ],
    ['b.html', '<html><body><script>console.info("hello")</script></body></html>', []],
    ['a.zip', makeZip({ 'x.txt': 'x' }, { isEncrypted: true }), ['archive', 'encrypted']],
  ])('%s', (filename, content, expected) => {
    expect(flagsOf(content, filename)).toEqual(expected);
  });

  test('a template that Office loads from the internet is one, a link is none', () => {
    const made = (type: string) =>
      makeZip({
        '[Content_Types].xml': '',
        'word/document.xml': '',
        'word/_rels/settings.xml.rels': RELATIONS('https://evil.example.org/t.dotm', type),
      });
    const template = readFile(made('attachedTemplate'), 'a.docx', TOOLS);
    expect([template.detectedType, template.flags, template.targets]).toEqual([
      'ooxml',
      ['remote_template'],
      ['https://evil.example.org/t.dotm'],
    ]);
    expect(readFile(made('hyperlink'), 'a.docx', TOOLS).flags).toEqual([]);
  });

  test('an archive is listed and not unpacked', () => {
    const { riskyEntries, unread } = readFile(
      makeZip({ 'a/invoice.pdf.js': 'x', 'b.txt': 'y' }),
      'a.zip',
      TOOLS,
    );
    expect([riskyEntries, unread]).toEqual([['a/invoice.pdf.js'], ['archive_contents']]);
  });

  test('addresses inside a PDF are found', () => {
    expect(
      readFile(Buffer.from('%PDF-1.4 /A << /URI (https://evil.example.org/x) >>'), 'a.pdf', TOOLS).targets,
    ).toEqual(['https://evil.example.org/x']);
  });
});

describe('hostile files end', () => {
  test('an Office file that unpacks to gigabytes is read to a limit', () => {
    const bomb = deflateRawSync(Buffer.alloc(64 * 1024 * 1024));
    const made = makeZip({ '[Content_Types].xml': '', 'word/_rels/a.rels': bomb }, { isDeflated: true });
    expect(readFile(made, 'a.docx', TOOLS).flags).toEqual([]);
  });

  test('directories that lie about their length, and sectors that point at each other', () => {
    const zip = makeZip({ 'a.txt': 'x' });
    zip.writeUInt16LE(65_535, zip.length - 12);
    expect(listZip(zip)).toMatchObject({ isCut: true, entries: [{ name: 'a.txt' }] });
    const ole = makeOle(['Root Entry']);
    ole.writeUInt32LE(0xffffffff, 48);
    expect(readFile(ole, 'a.doc', TOOLS).detectedType).toBe('ole');
  });
});
