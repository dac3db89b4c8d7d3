import { z } from 'zod';

const PRICE = /^(BASIC|PRO|ENTERPRISE):(MONTHLY|YEARLY)=([A-Za-z0-9_]{1,255})$/;

/** `PLAN:BILLING=price`, comma-separated; null where an entry cannot be read or is repeated. */
function readPrices(text: string): ReadonlyMap<string, string> | null {
  const parts = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  const prices = new Map<string, string>();
  for (const part of parts) {
    const found = PRICE.exec(part);
    if (found === null) return null;
    prices.set(`${found[1]}:${found[2]}`, found[3] ?? '');
  }
  return prices.size === parts.length && new Set(prices.values()).size === parts.length ? prices : null;
}

/** The operators' listener, the payment provider and the canary of the status page. */
export const OPERATORS_ENVIRONMENT = {
  ADMIN_HOST: z.string().max(255).default('127.0.0.1').describe("Address of the operators' listener."),
  ADMIN_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe(
      "Port of the operators' listener (/admin, /emails, /cve/dashboard), never the public one. Default: none, and there is no such listener.",
    ),
  STRIPE_SECRET_KEY: z
    .string()
    .max(512)
    .regex(/^[\x21-\x7e]+$/, 'expected printable characters without spaces')
    .optional()
    .describe('API key of Stripe. Without it nothing is sold here, and operators assign plans.'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .max(512)
    .regex(/^[\x21-\x7e]+$/, 'expected printable characters without spaces')
    .optional()
    .describe('Signing secret of the Stripe endpoint that posts to /billing/webhook.'),
  STRIPE_PRICES: z
    .string()
    .max(4_096)
    .default('')
    .transform((text, context): ReadonlyMap<string, string> => {
      const prices = readPrices(text);
      if (prices !== null) return prices;
      context.addIssue('expected PLAN:BILLING=PRICE, comma-separated, such as PRO:MONTHLY=price_1AbC');
      return z.NEVER;
    })
    .describe(
      'Which Stripe price is which plan: PLAN:BILLING=PRICE, comma-separated. A plan without one is not sold.',
    ),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .default('https://api.stripe.com')
    .describe(
      'Where Stripe is asked. Another server that speaks its protocol needs its address in OUTBOUND_ALLOW when it is private.',
    ),
  CANARY_KEY: z
    .string()
    .max(512)
    .regex(/^[A-Za-z0-9+/=]+$/, 'expected the value of an X-API-KEY header')
    .optional()
    .describe(
      'X-API-KEY of an ENTERPRISE organization of your own. The worker reports, checks and reads one indicator with it every minute for the status page. Default: no canary.',
    ),
  CANARY_URL: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .optional()
    .describe(
      'Where the canary reaches the API; a private address must be in OUTBOUND_ALLOW. Default: PUBLIC_API_URL.',
    ),
} as const;

type BillingSettings = {
  readonly STRIPE_SECRET_KEY?: string | undefined;
  readonly STRIPE_WEBHOOK_SECRET?: string | undefined;
  readonly STRIPE_PRICES: ReadonlyMap<string, string>;
};

export const billingProblems = (config: BillingSettings): readonly string[] => {
  if (config.STRIPE_SECRET_KEY === undefined) return [];
  return [
    ...(config.STRIPE_WEBHOOK_SECRET === undefined
      ? ['STRIPE_WEBHOOK_SECRET is missing; without it no payment would change a plan']
      : []),
    ...(config.STRIPE_PRICES.size === 0
      ? ['STRIPE_PRICES is empty; name the price of at least one plan']
      : []),
  ];
};
