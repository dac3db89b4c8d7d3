import { defang, parseIndicator } from '../../indicator/index.ts';
import type { RiskLevel } from '../../scoring/index.ts';

export const SEVERITIES = ['high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Every code of a reason; docs/mail-scan.md says what each means and what it does not mean. */
export const REASON_CODES = [
  'attachment.known_malware',
  'link.listed',
  'sender.listed',
  'reply_to.listed',
  'ip.listed',
  'contact.listed',
  'attachment.disguised_program',
  'attachment.double_extension',
  'attachment.html_smuggling',
  'attachment.remote_template',
  'attachment.program',
  'attachment.macro_project',
  'attachment.archive_risky_entry',
  'attachment.type_mismatch',
  'attachment.encrypted',
  'attachment.pdf_action',
  'sender.brand_lookalike',
  'reply_to.brand_lookalike',
  'link.brand_lookalike',
  'headers.display_name_brand',
  'headers.display_name_address',
  'headers.disguised_text',
  'headers.reply_to_freemail',
  'headers.reply_to_elsewhere',
  'headers.return_path_mismatch',
  'headers.several_from',
  'sender.invalid_domain',
  'sender.disposable',
  'sender.platform',
  'sender.no_mail_authentication',
  'auth.dmarc_fail',
  'auth.spf_fail',
  'auth.dkim_fail',
  'link.anchor_mismatch',
  'link.anchor_mismatch_tracked',
  'link.credentials_in_url',
  'link.homograph',
  'link.ip_host',
  'link.shortener',
  'link.platform',
  'message.credential_form',
  'message.combination',
  'injection.detected',
  'injection.hidden',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

export type Reason = {
  readonly code: ReasonCode;
  readonly severity: Severity;
  readonly summary: string;
  /** The text that shows the reason, with hosts and addresses defanged (trap 48). */
  readonly evidence: string;
};

/** A weak sign that decides nothing alone; several of different kinds are a reason of their own. */
export type Sign = Reason & { readonly points: number };

const EVIDENCE_MAX = 400;
const NOT_A_DOT = /\.(?=[\p{L}\p{N}_-])/gu;
const CONTROLS = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Makes text of a message safe to show: one line, no invisible characters, no dot that a program turns into a link. */
export const inert = (text: string): string =>
  text
    .slice(0, EVIDENCE_MAX)
    .replace(CONTROLS, '')
    .replace(/\s+/g, ' ')
    .replace(/:\/\//g, '[://]')
    .replace(/@/g, '[@]')
    .replace(NOT_A_DOT, '[.]');

export function inertValue(value: string): string {
  const parsed = parseIndicator(value);
  return parsed.ok ? defang(parsed.indicator).slice(0, EVIDENCE_MAX) : inert(value);
}

export const severityOfLevel = (level: RiskLevel): Severity | null => {
  if (level === 'critical' || level === 'high') return 'high';
  if (level === 'medium') return 'medium';
  return level === 'low' ? 'low' : null;
};
