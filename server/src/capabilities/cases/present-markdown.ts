import { inertText } from '#domain/text/inert-text.ts';
import type { ExportedCase } from './contract-export.ts';

const LINE_MAX = 2_000;
const TEXT_MAX = 10_000;

/** Text of callers must not become a heading, a link, an image or markup of the reader's tool. */
const inert = (value: unknown, max = LINE_MAX): string =>
  (inertText(value, max) ?? '').replaceAll(/[\\`*_{}[\]()<>#+!|~&-]/g, '\\$&');

const row = (name: string, value: unknown): string => `| ${name} | ${inert(value)} |`;

/** An export as a page for people, with payloads as code. For verifying the hashes there is the JSON export. */
export function presentMarkdown({
  case: of,
  evidence,
  chain,
  verification,
  seal,
  exportedAt,
}: ExportedCase): string {
  const lines = [
    `# ${inert(of.title)}`,
    '',
    '| Field | Value |',
    '|---|---|',
    row('Case', of.id),
    row('Status', of.status),
    row('Priority', of.priority),
    ...(of.entityValue === null ? [] : [row('About', `${of.entityType ?? ''} ${of.entityValue}`)]),
    ...(of.linkedAlertId === null ? [] : [row('Alert', of.linkedAlertId)]),
    ...(of.linkedCveFindingId === null ? [] : [row('Finding', of.linkedCveFindingId)]),
    ...(of.linkedReportId === null ? [] : [row('Saved check', of.linkedReportId)]),
    row('Opened', of.createdAt),
    row('Changed', of.updatedAt),
    row('Exported', exportedAt),
    '',
    ...(of.description === null ? [] : [inert(of.description, TEXT_MAX), '']),
    '## Evidence',
    '',
    ...evidence.flatMap((piece) => [
      `### ${piece.position}. ${inert(piece.title)}`,
      '',
      `${inert(piece.kind)}, ${inert(piece.createdAt)}`,
      '',
      ...(piece.description === null ? [] : [inert(piece.description, TEXT_MAX), '']),
      ...codeOf(piece.payload),
      '',
      `SHA-256: ${piece.hash}`,
      '',
    ]),
    '## Proof',
    '',
    verification.ok
      ? `All ${verification.length} pieces fit. Head: ${chain.head}.`
      : `Position ${verification.brokenAt}: ${inert(verification.reason)}`,
    seal === null
      ? 'No daily seal covers this case yet.'
      : `Sealed on ${seal.day}. Public root of that day: ${seal.root ?? 'not written yet'}.`,
  ];
  return `${lines.join('\n')}\n`;
}

/** A code block by indentation, because text of a caller could close a fenced block. */
const codeOf = (payload: unknown): readonly string[] =>
  JSON.stringify(payload, null, 2)
    .split('\n')
    .map((line) => `    ${line.replaceAll(/[\p{Cc}\p{Cf}]/gu, '')}`);
