import { isProgramName } from '../files/file-names.ts';
import type { AttachmentFlag } from '../files/read-attachment.ts';
import type { AttachmentFact } from '../message-facts.ts';
import { type ItemWord, isMalicious } from './item-word.ts';
import { inert, type Reason, type ReasonCode, type Severity, severityOfLevel } from './reason.ts';

const BY_FLAG: Readonly<Partial<Record<AttachmentFlag, readonly [ReasonCode, Severity, string]>>> = {
  disguised_program: [
    'attachment.disguised_program',
    'high',
    'A file is a program under the name of a document or picture.',
  ],
  double_extension: [
    'attachment.double_extension',
    'high',
    'The name of a file shows a harmless extension before the one that counts.',
  ],
  html_smuggling: [
    'attachment.html_smuggling',
    'high',
    'An attached page builds another file or page with its own script.',
  ],
  remote_template: [
    'attachment.remote_template',
    'high',
    'An Office file loads a template or an object from the internet when it is opened.',
  ],
  macro_project: ['attachment.macro_project', 'medium', 'An Office file has macros.'],
  type_mismatch: [
    'attachment.type_mismatch',
    'low',
    'The bytes of a file are of another type than its name promises.',
  ],
  pdf_action: ['attachment.pdf_action', 'low', 'A PDF has a script, or starts a program.'],
};

/** Encrypted PDF files are common as bank statements; no scanner can see into an encrypted archive. */
const encryptedSeverity = ({ detectedType }: AttachmentFact): Severity =>
  detectedType === 'zip' || detectedType === 'rar' || detectedType === '7z' ? 'low' : 'info';

function malwareReason(word: ItemWord, evidence: string): Reason | null {
  const severity = isMalicious(word) ? 'high' : severityOfLevel(word.level);
  if (severity === null) return null;
  const family = word.family === null ? '' : ` as ${word.family}`;
  return {
    code: 'attachment.known_malware',
    severity,
    summary: `A file is known${family} to ${word.sourceNames.slice(0, 3).join(', ')}.`,
    evidence,
  };
}

export function attachmentReasons(file: AttachmentFact, word: ItemWord | null): readonly Reason[] {
  const name = inert(file.filename ?? 'a file without a name');
  const reasons: Reason[] = [];
  const malware = word === null ? null : malwareReason(word, `${name} ${file.digests.sha256 ?? ''}`.trim());
  if (malware !== null) reasons.push(malware);
  for (const flag of file.flags) {
    const entry = BY_FLAG[flag];
    // A disguised program always has a mismatching type, so that flag would say the same twice.
    if (entry === undefined || (flag === 'type_mismatch' && file.flags.includes('disguised_program')))
      continue;
    const [code, severity, summary] = entry;
    reasons.push({ code, severity, summary, evidence: name });
  }
  const isProgram = file.isProgram || (file.filename !== null && isProgramName(file.filename));
  if (isProgram && !file.flags.includes('disguised_program') && word?.isKnownGood !== true)
    reasons.push({
      code: 'attachment.program',
      severity: 'medium',
      summary: 'A file runs, installs or changes settings when it is opened.',
      evidence: name,
    });
  if (file.riskyEntries.length > 0)
    reasons.push({
      code: 'attachment.archive_risky_entry',
      severity: 'medium',
      summary: 'An archive holds a file that runs when it is opened.',
      evidence: `${name}: ${file.riskyEntries.map(inert).join(', ')}`.slice(0, 400),
    });
  if (file.flags.includes('encrypted'))
    reasons.push({
      code: 'attachment.encrypted',
      severity: encryptedSeverity(file),
      summary: 'A file is encrypted, so that its content was not read.',
      evidence: name,
    });
  return reasons;
}
