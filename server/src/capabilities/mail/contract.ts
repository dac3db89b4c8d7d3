import { z } from 'zod';
import { MAIL_LIMITS } from '#domain/mail/index.ts';

/** 10 MiB in base64 are 13.34 MiB, and JSON adds little (decisions 3.11). */
export const SCAN_BODY_MAX = 15 * 1024 * 1024;
/** A scan takes at most 5 s of CPU time; on a machine with other work that can be many more by the clock. */
export const SCAN_DEADLINE_MS = 60_000;
const HEADER_MAX = 16 * 1024;
const HEADERS_MAX = 1_000;
const hex = (digits: number) =>
  z.string().regex(new RegExp(`^[0-9a-fA-F]{${digits}}$`), `Send ${digits} hexadecimal digits.`);

const StructuredAttachment = z.object({
  filename: z.string().max(255).optional(),
  contentType: z.string().max(255).optional(),
  size: z.int().min(0).max(2_147_483_647).optional(),
  sha256: hex(64).optional(),
  sha1: hex(40).optional(),
  md5: hex(32).optional(),
  inline: z.boolean().optional(),
});

const StructuredBody = z
  .object({
    headers: z
      .array(z.object({ name: z.string().min(1).max(200), value: z.string().max(HEADER_MAX) }))
      .max(HEADERS_MAX)
      .optional()
      .describe('In the order of the message, the topmost first.'),
    from: z.string().max(HEADER_MAX).optional(),
    replyTo: z.string().max(HEADER_MAX).optional(),
    returnPath: z.string().max(1_024).optional(),
    subject: z.string().max(HEADER_MAX).optional(),
    text: z.string().max(MAIL_LIMITS.messageBytesMax).optional(),
    html: z.string().max(MAIL_LIMITS.messageBytesMax).optional(),
    attachments: z.array(StructuredAttachment).max(200).optional().describe('Their contents are not read.'),
  })
  .meta({ id: 'MailMessage' });

const ScanContext = z
  .object({
    authservId: z
      .string()
      .min(1)
      .max(253)
      .optional()
      .describe('The name under which your receiving system writes Authentication-Results.'),
    trustAuthenticationResults: z
      .boolean()
      .optional()
      .describe('The topmost Authentication-Results within the trusted hops is yours, whatever its name.'),
    trustedHops: z
      .int()
      .min(1)
      .max(10)
      .optional()
      .describe('Received headers from the top that your systems wrote; 1 when absent.'),
    connectingIp: z
      .string()
      .max(45)
      .optional()
      .describe('The address that connected to you, in place of the one in Received.'),
  })
  .meta({ id: 'MailContext' });

/** Exactly one of the three forms. Read in a thread, never on the event loop. */
export const ScanBody = z
  .object({
    emlBase64: z
      .string()
      .max(SCAN_BODY_MAX)
      .optional()
      .describe('The raw message in base64, up to 10 MiB decoded.'),
    eml: z.string().max(SCAN_BODY_MAX).optional().describe('The raw message as text.'),
    message: StructuredBody.optional().describe('A message that you have parsed.'),
    context: ScanContext.optional(),
  })
  .meta({
    id: 'MailScanBody',
    examples: [{ eml: 'From: Somebody <somebody@example.com>\r\nSubject: Hello\r\n\r\nHello.\r\n' }],
  });
export type ScanBody = z.infer<typeof ScanBody>;
export type ScanContext = z.infer<typeof ScanContext>;
