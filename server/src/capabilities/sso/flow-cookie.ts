import { z } from 'zod';
import type { Secrets } from '#platform/secrets.ts';

/** A sign-in that went to the provider and has not come back yet. */
const Flow = z.strictObject({
  kind: z.literal('flow'),
  accountId: z.string(),
  /** When the settings were last changed; if they change meanwhile, the provider's answer is refused. */
  settingsAtMs: z.number(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  isFresh: z.boolean(),
  /** The person whose own session started the sign-in to tie the identity to them; null: a plain sign-in. */
  linkUserId: z.string().nullable(),
  expiresAtMs: z.number(),
});
export type Flow = z.infer<typeof Flow>;

/** A sign-in that came back from the provider. `browser` is a secret that only this browser has. */
const Returned = z.strictObject({
  kind: z.literal('returned'),
  browser: z.string(),
  expiresAtMs: z.number(),
});
export type Returned = z.infer<typeof Returned>;

const Kept = z.discriminatedUnion('kind', [Flow, Returned]);

export type FlowCookie = {
  readonly issue: (kept: Flow | Returned, nowMs: number) => string;
  /** The content of the cookie; null if it is missing, altered or too old. */
  readonly read: (header: string | undefined, nowMs: number) => Flow | Returned | null;
  readonly clear: string;
};

const CONTEXT = 'sso:flow';
const VALUE_CHARS_MAX = 4_096;

/**
 * Ties a sign-in to the browser that started it, so that no page can finish another person's sign-in there. Sealed: it
 * holds the PKCE verifier. `__Host-`: no sibling host can set it. Lax: it is sent when the browser is sent back.
 */
export function createFlowCookie(publicWebUrl: string, secrets: Pick<Secrets, 'seal' | 'open'>): FlowCookie {
  const isSecure = new URL(publicWebUrl).protocol === 'https:';
  const name = isSecure ? '__Host-sso' : 'sso';
  const line = (value: string, maxAgeS: number) =>
    `${name}=${value}; Max-Age=${maxAgeS}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    issue: (kept, nowMs) => {
      const value = secrets.seal(Buffer.from(JSON.stringify(kept)), CONTEXT).toString('base64url');
      return line(value, Math.ceil((kept.expiresAtMs - nowMs) / 1_000));
    },
    read: (header, nowMs) => {
      const value = cookieValue(header, name);
      if (value === undefined || value.length > VALUE_CHARS_MAX) return null;
      const plain = secrets.open(Buffer.from(value, 'base64url'), CONTEXT);
      const parsed = Kept.safeParse(plain === null ? null : JSON.parse(plain.toString()));
      return parsed.success && parsed.data.expiresAtMs > nowMs ? parsed.data : null;
    },
    clear: line('', 0),
  };
}

function cookieValue(header: string | undefined, name: string): string | undefined {
  const start = `${name}=`;
  return header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start))
    ?.slice(start.length);
}
